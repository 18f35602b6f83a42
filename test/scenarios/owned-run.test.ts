/** Every case of the area owned-run. */
import { testCases } from './run-cases.ts'

testCases('cases', 'owned-run')

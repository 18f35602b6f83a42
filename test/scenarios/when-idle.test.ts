/** Every case of the area when-idle. */
import { testCases } from './run-cases.ts'

testCases('cases', 'when-idle')

/** Every case of the area goal. */
import { testCases } from './run-cases.ts'

testCases('cases', 'goal')

/** Every case of the area dispose. */
import { testCases } from './run-cases.ts'

testCases('cases', 'dispose')

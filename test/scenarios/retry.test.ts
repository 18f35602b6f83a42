/** Every case of the area retry. */
import { testCases } from './run-cases.ts'

testCases('cases', 'retry')

/** Every case of the area fork. */
import { testCases } from './run-cases.ts'

testCases('cases', 'fork')
testCases('inferred', 'fork')

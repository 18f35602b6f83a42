/** Every case of the area registry. */
import { testCases } from './run-cases.ts'

testCases('cases', 'registry')
testCases('inferred', 'registry')

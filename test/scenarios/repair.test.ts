/** Every case of the area repair. */
import { testCases } from './run-cases.ts'

testCases('cases', 'repair')
testCases('inferred', 'repair')

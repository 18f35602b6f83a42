/** Every case of the area resume. */
import { testCases } from './run-cases.ts'

testCases('cases', 'resume')
testCases('inferred', 'resume')

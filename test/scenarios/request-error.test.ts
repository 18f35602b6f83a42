/** Every case of the area request-error. */
import { testCases } from './run-cases.ts'

testCases('cases', 'request-error')

/** Every case of the area request. */
import { testCases } from './run-cases.ts'

testCases('cases', 'request')

/** Every case of the area stream. */
import { testCases } from './run-cases.ts'

testCases('cases', 'stream')

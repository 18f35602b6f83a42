/** Every case of the area keep-inbox. */
import { testCases } from './run-cases.ts'

testCases('cases', 'keep-inbox')

/** Every case of the area inbox. */
import { testCases } from './run-cases.ts'

testCases('cases', 'inbox')

/** Every case of the area tools. */
import { testCases } from './run-cases.ts'

testCases('cases', 'tools')

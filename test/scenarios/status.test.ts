/** Every case of the area status. */
import { testCases } from './run-cases.ts'

testCases('cases', 'status')

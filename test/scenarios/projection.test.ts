/** Every case of the area projection. */
import { testCases } from './run-cases.ts'

testCases('cases', 'projection')

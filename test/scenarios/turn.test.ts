/** Every case of the area turn. */
import { testCases } from './run-cases.ts'

testCases('cases', 'turn')

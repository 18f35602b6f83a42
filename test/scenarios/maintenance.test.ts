/** Every case of the area maintenance. */
import { testCases } from './run-cases.ts'

testCases('cases', 'maintenance')

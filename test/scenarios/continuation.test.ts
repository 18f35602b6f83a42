/** Every case of the area continuation. */
import { testCases } from './run-cases.ts'

testCases('cases', 'continuation')

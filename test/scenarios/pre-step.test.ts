/** Every case of the area pre-step. */
import { testCases } from './run-cases.ts'

testCases('cases', 'pre-step')

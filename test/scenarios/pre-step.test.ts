/** Every case of the area pre-step, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'pre-step')
testCases('inferred', 'pre-step')

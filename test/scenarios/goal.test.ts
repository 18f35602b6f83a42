/** Every case of the area goal, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'goal')
testCases('inferred', 'goal')

/** Every case of the area turn, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'turn')
testCases('inferred', 'turn')

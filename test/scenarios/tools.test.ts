/** Every case of the area tools, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'tools')
testCases('inferred', 'tools')

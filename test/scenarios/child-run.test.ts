/** Every case of the area child-run, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'child-run')
testCases('inferred', 'child-run')

/** Every case of the area cancel, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'cancel')
testCases('inferred', 'cancel')

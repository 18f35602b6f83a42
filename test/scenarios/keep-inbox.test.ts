/** Every case of the area keep-inbox, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'keep-inbox')
testCases('inferred', 'keep-inbox')

/** Every case of the area inbox, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'inbox')
testCases('inferred', 'inbox')

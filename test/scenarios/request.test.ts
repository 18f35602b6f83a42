/** Every case of the area request, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'request')
testCases('inferred', 'request')

/** Every case of the area containment, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'containment')
testCases('inferred', 'containment')

/** Every case of the area owned-run, the handed ones and those that follow from the rules. */
import { testCases } from './run-cases.ts'

testCases('cases', 'owned-run')
testCases('inferred', 'owned-run')

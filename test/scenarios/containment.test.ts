/** Every case of the area containment. */
import { testCases } from './run-cases.ts'

testCases('cases', 'containment')

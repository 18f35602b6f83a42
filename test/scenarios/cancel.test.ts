/** Every case of the area cancel. */
import { testCases } from './run-cases.ts'

testCases('cases', 'cancel')

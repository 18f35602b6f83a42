/** Every case of the area race. */
import { testCases } from './run-cases.ts'

testCases('cases', 'race')

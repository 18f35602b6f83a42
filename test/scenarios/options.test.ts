/** Every case of the area options. */
import { testCases } from './run-cases.ts'

testCases('cases', 'options')

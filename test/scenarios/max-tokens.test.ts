/** Every case of the area max-tokens. */
import { testCases } from './run-cases.ts'

testCases('cases', 'max-tokens')

/** Every case of the area services. */
import { testCases } from './run-cases.ts'

testCases('cases', 'services')

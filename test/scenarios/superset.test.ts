/** Every case of the area superset. */
import { testCases } from './run-cases.ts'

testCases('cases', 'superset')

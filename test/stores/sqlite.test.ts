import { temporaryFolder } from '../log/files.ts'
import { runContract } from './run-contract.ts'
import { sqliteSubject } from './sqlite-subject.ts'

runContract('SQLite store', sqliteSubject(temporaryFolder(), 'node:sqlite'))

import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFileLog, openFileLog } from '../../src/log/file-log.ts'
import { temporaryFolder } from '../log/files.ts'
import { runContract } from './run-contract.ts'
import { onSmallDisk } from './small-disk.ts'

const dir = temporaryFolder()
const fileOf = (id: string) => join(dir, `${id}.jsonl`)

runContract('file log', {
  create: (id, options) => createFileLog(fileOf(id), options),
  open: (id) => openFileLog(fileOf(id)),
  fileOf,
  takeOver: (id) => {
    // What a person does who is sure that the owner is gone, and is wrong.
    unlinkSync(`${fileOf(id)}.lock`)
    return openFileLog(fileOf(id))
  },
  damage: async (id, seq, how) => {
    const lines = readFileSync(fileOf(id), 'utf8').split('\n')
    if (how === 'text') lines[seq + 1] = lines[seq + 1]!.replace('"type"', '"type')
    else lines.splice(seq + 1, 1)
    writeFileSync(fileOf(id), lines.join('\n'))
  },
  // Lines count from the header.
  positionOf: (seq) => seq + 1,
  onSmallDisk: (work) =>
    onSmallDisk(
      (disk) => ({
        create: (id) => createFileLog({ dir: disk, id }),
        open: (id) => openFileLog({ dir: disk, id }),
      }),
      work,
    ),
})

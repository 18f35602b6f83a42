/**
 * `npm run bench [-- --quick] [-- --only=turns,chunks]`: measures, prints and writes bench/RESULTS.md.
 *
 * Each section runs in a process of its own, so that none inherits the heap or the compiled code of another.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pageOf } from './report.ts'
import type { Facts, Measured } from './report.ts'
import type { Row, Section } from './section.ts'
import { chunks } from './sections/chunks.ts'
import { growth } from './sections/growth.ts'
import { memory } from './sections/memory.ts'
import { resume } from './sections/resume.ts'
import { replay } from './sections/replay.ts'
import { stores } from './sections/stores.ts'
import { turns } from './sections/turns.ts'

const SECTIONS: readonly Section[] = [turns, chunks, growth, memory, resume, stores, replay]
const SELF = fileURLToPath(import.meta.url)
const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url))

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    out: { type: 'string' },
    // Inner use: measure one section and print its rows as JSON.
    section: { type: 'string' },
  },
})

if (values.section === undefined) measureAll()
else await measureOne(values.section)

function measureAll(): void {
  const { quick, only } = values
  const chosen = only?.split(',')
  const measured = SECTIONS.filter(({ name }) => chosen?.includes(name) ?? true).map(measure)
  const page = pageOf(measured, factsOf(quick))
  console.log(page)
  // A part of the sections, or a short run, does not replace the full results.
  const whole = !quick && chosen === undefined
  const file = values.out ?? (whole ? RESULTS : undefined)
  if (file !== undefined) writeFileSync(file, `${page}\n`)
}

function factsOf(quick: boolean): Facts {
  return {
    command: `npm run bench${quick ? ' -- --quick' : ''}`,
    node: process.versions.node,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    date: new Date().toISOString().slice(0, 10),
    quick,
  }
}

function measure(section: Section): Measured {
  console.error(`measuring ${section.name} …`)
  const args = [
    '--expose-gc',
    SELF,
    `--section=${section.name}`,
    ...(values.quick ? ['--quick'] : []),
  ]
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`section ${section.name} failed`)
  return { section, rows: JSON.parse(stdout) as Row[] }
}

async function measureOne(name: string): Promise<void> {
  const section = SECTIONS.find((each) => each.name === name)
  if (section === undefined) throw new Error(`there is no section ${name}`)
  const dir = mkdtempSync(join(tmpdir(), 'bench-'))
  let files = 0
  const file = (): string => join(dir, `${++files}.jsonl`)
  try {
    console.log(JSON.stringify(await section.run({ quick: values.quick, file })))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

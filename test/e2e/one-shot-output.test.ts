/**
 * `--output-schema`: an answer that is data, or a fault, and never something in between.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agent, cwd, run, storedLog, useOneShot } from './one-shot-rig.ts'

useOneShot()

const schema = (json: object): void => {
  writeFileSync(join(cwd, 'schema.json'), JSON.stringify(json))
}
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const answer = (...args: string[]) => run('A', '--output-schema', 'schema.json', ...args)

describe('--output-schema', () => {
  it('prints the data as one line of JSON, and tells the model what is wanted', async () => {
    schema(CITY)
    agent(
      `{ model: scriptedModel([[script.text('\`\`\`json\\n{ "city":\\n"Ghent" }\\n\`\`\`')]]) }`,
    )
    expect(await answer()).toEqual({ exit: 0, stdout: '{"city":"Ghent"}\n', stderr: '' })
    expect(storedLog()).toContain(JSON.stringify(JSON.stringify(CITY)).slice(1, -1))
  })

  it('has the answer repaired once; with --json the faults are on standard error and the exit code is 1', async () => {
    schema(CITY)
    agent(`{ model: scriptedModel(['text "Ghent"', [script.text('{"city":"Ghent"}')]]) }`)
    expect(await answer()).toMatchObject({ exit: 0, stdout: '{"city":"Ghent"}\n' })
    agent(`{ model: scriptedModel(['text "{}"', 'text "{}"']) }`)
    const plain = await answer()
    expect(plain).toMatchObject({ exit: 1, stdout: '{}\n' })
    expect(plain.stderr).toBe('INVALID_OUTPUT: the final response does not fit: city: is missing\n')
    const json = await answer('--json')
    expect([json.exit, json.stderr]).toEqual([1, plain.stderr])
    for (const line of json.stdout.trimEnd().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('seq')
  })

  it('says once why a turn did not complete, and nothing that was cut passes for data', async () => {
    schema({ type: 'number' })
    agent(`{ model: scriptedModel(['text "12" finishing max-tokens']) }`)
    const { exit, stderr } = await answer()
    expect(exit).toBe(1)
    expect(stderr).toMatch(/^MAX_TOKENS: [^\n]+\n$/)
  })

  it('that is missing, no JSON or not understood is a usage error before anything exists', async () => {
    agent(`{ model: scriptedModel([]) }`)
    expect(await answer()).toMatchObject({ exit: 2, stdout: '' })
    writeFileSync(join(cwd, 'schema.json'), '{')
    expect(await answer()).toMatchObject({ exit: 2 })
    schema({ if: {} })
    const { exit, stderr } = await answer()
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('#/if: this keyword is not understood'),
    ])
    expect(readdirSync(cwd).toSorted()).toEqual(['agent.mjs', 'schema.json'])
  })
})

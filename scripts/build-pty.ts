/**
 * `pretest`: compiles the pseudo-terminal that the tests of `turnwise chat` use, once. Here and not at the installation:
 * whoever only installs and runs needs neither a compiler nor the headers of Node.
 *
 * Headers of a Node that is installed are used before any are fetched; it speaks Node-API, so those of another version do.
 * Where it cannot be compiled those tests fail and say so; all others run.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const folder = join(import.meta.dirname, '../node_modules/node-pty')
const platform = `${process.platform}-${process.arch}`

/** Where a Node of the path is installed with its headers. */
const nodedir = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((bin) => dirname(bin))
  .find((prefix) => existsSync(join(prefix, 'include/node/node_api.h')))

if (
  !existsSync(join(folder, 'build/Release/pty.node')) &&
  !existsSync(join(folder, 'prebuilds', platform))
) {
  process.stdout.write('compiling node-pty for the tests of turnwise chat\n')
  // npm puts its own node-gyp on the path of scripts.
  const args = ['rebuild', ...(nodedir === undefined ? [] : [`--nodedir=${nodedir}`])]
  const { status, stderr } = spawnSync('node-gyp', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0)
    process.stderr.write(
      `${stderr ?? ''}\nnode-pty could not be compiled: the tests of turnwise chat will fail.\n`,
    )
}

/** An agent for editors: it speaks the Agent Client Protocol over standard input and output. */
import { defineTool, fileStore } from 'turnwise'
import { serveAcp } from 'turnwise/acp'
import { script, scriptedModel } from 'turnwise/testing'

const deploy = defineTool({
  name: 'deploy',
  approval: { prompt: 'Deploy to production?' }, // the editor puts this to its user, each time
  run: () => 'deployed',
})

await serveAcp({
  input: process.stdin,
  output: process.stdout,
  store: fileStore('.turnwise'), // where the editor finds its sessions again
  show: { tools: true },
  prepare: ({ cwd }) => ({
    system: `You work in ${cwd}.`,
    tools: [deploy],
    // Stands in for a language model: it calls the tool, and then says something.
    model: scriptedModel([
      [script.call('c1', 'deploy', { version: '2.0' })],
      [script.text('That was version 2.0.')],
    ]),
  }),
  onDiagnostic: (message) => console.error(message), // standard output belongs to the protocol
})

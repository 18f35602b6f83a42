/**
 * The page that hands messages of this machine to Stately's inspector, which runs in a frame of it.
 *
 * The frame is a page of somebody else: it is told what the viewer is told, and can reach nothing.
 *
 * @module
 */

/** Where Stately serves its inspector. */
const INSPECTOR = 'https://stately.ai'

/** What the page may do: run its own script, show that frame, and open its own socket. */
export const bridgePolicy = (port: number): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `frame-src ${INSPECTOR} https://*.stately.ai`,
    `connect-src ws://127.0.0.1:${port} ws://localhost:${port}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The files of the page, by their paths. */
export const BRIDGE_FILES: Readonly<
  Record<string, { readonly type: string; readonly body: string }>
> = {
  '/': {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>turnwise in the Stately inspector</title>
<link rel="stylesheet" href="/bridge.css">
<body>
<script src="/bridge.js"></script>
</body>
</html>
`,
  },
  '/bridge.css': {
    type: 'text/css; charset=utf-8',
    body: 'html, body { height: 100%; margin: 0 }\niframe { width: 100%; height: 100%; border: 0 }\n',
  },
  '/bridge.js': {
    type: 'text/javascript; charset=utf-8',
    // The frame comes last: what it says first must be heard.
    body: `const frame = document.createElement('iframe')
const waiting = []
let inspector
const tell = (message) => frame.contentWindow.postMessage(message, inspector)
const isInspector = (origin) => /^https:\\/\\/(?:[a-z0-9-]+\\.)?stately\\.ai$/.test(origin)
addEventListener('message', ({ origin, source, data }) => {
  if (!isInspector(origin) || source !== frame.contentWindow) return
  if (data === null || typeof data !== 'object' || data.type !== '@statelyai.connected') return
  inspector = origin
  for (const message of waiting.splice(0)) tell(message)
})
frame.title = 'Stately inspector'
frame.src = '${INSPECTOR}/inspect'
document.body.append(frame)
new WebSocket('ws://' + location.host).addEventListener('message', ({ data }) => {
  const message = JSON.parse(data)
  if (inspector === undefined) waiting.push(message)
  else tell(message)
})
`,
  },
}

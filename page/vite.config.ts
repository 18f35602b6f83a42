/**
 * Builds the page of the viewer: hashed assets and nothing inline, so that it runs under `default-src 'none'`.
 *
 * @module
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  base: './',
  publicDir: false,
  logLevel: 'warn',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', jsxDev: false, legalComments: 'none' },
  // Also where tests build it.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: here('../dist/inspect/page'),
    emptyOutDir: true,
    target: 'es2023',
    // A data: address would need a wider policy; a preload polyfill would be inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

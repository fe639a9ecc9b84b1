import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { compileMessages } from './compile-messages.ts'

const OUT = join(import.meta.dirname, 'dist')

/** Compresses the assets at build time, as small as it can be; the server sends the compressed files. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    closeBundle() {
      const files = readdirSync(OUT, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((name) => /\.(?:js|css|html|svg)$/.test(name))) {
        const bytes = readFileSync(join(OUT, file))
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        }
        writeFileSync(join(OUT, `${file}.br`), brotliCompressSync(bytes, { params }))
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: OUT,
    emptyOutDir: true,
    manifest: true,
    target: ['chrome123', 'firefox120', 'safari17.5'], // The first versions with `light-dark()`.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // The CSP allows `data:` for images only.
    reportCompressedSize: false,
  },
  plugins: [compileMessages(), compressed()],
})

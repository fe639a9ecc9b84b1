import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { compileMessages } from './compile-messages.ts'

const SERVICE_WORKER = 'service-worker'
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

/** The service worker has one name in every build. It knows the files of its build. */
function serviceWorker(): Plugin {
  const publicFolder = join(import.meta.dirname, 'public')
  const listPublic = () =>
    readdirSync(publicFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const worker = bundle[`${SERVICE_WORKER}.js`]
        if (worker?.type !== 'chunk') throw new Error('There is no service worker.')
        const assets = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
        const others = listPublic()
        const hash = createHash('sha256')
        for (const file of [join(import.meta.dirname, 'index.html'), ...others]) hash.update(readFileSync(file))
        const version = hash.update(assets.toSorted().join()).update(worker.code).digest('hex').slice(0, 16)
        const files = [...assets, ...others.map((file) => relative(publicFolder, file))].map((file) => `/${file}`)
        worker.code = worker.code
          .replaceAll('BUILT_VERSION', () => JSON.stringify(version))
          .replaceAll('BUILT_FILES', () => JSON.stringify(files.toSorted()))
      },
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
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        [SERVICE_WORKER]: join(import.meta.dirname, 'src/offline/service-worker.ts'),
      },
      output: {
        entryFileNames: ({ name }) => (name === SERVICE_WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  plugins: [compileMessages(), serviceWorker(), compressed()],
})

import { basename, join, relative } from 'node:path'
import { rolldown } from 'rolldown'

/** The server, the shell commands, and the subprocesses that these start. */
const PROGRAMS = {
  main: 'server/src/main.ts',
  waypost: 'server/src/commands/waypost.ts',
  'draw-preview': 'server/src/files/previews/draw-preview.ts',
  'seed-loader': 'server/src/commands/seed-loader.ts',
}

/** As deep below the root as `server/src`, so that paths from a module to the files of the server stay the same. */
export const CODE_FOLDER = 'server/dist'

/** Packages with machine code, or with files that are served unchanged. They are copied instead of bundled. */
export const COPIED_PACKAGES = ['sharp', '@node-rs/argon2', 'swagger-ui-dist']

/**
 * One file for what every process needs, and one for S3, which is large and rarely used. Without groups each combination of
 * programs would get files of its own.
 */
const PARTS = [
  { name: 's3', test: /node_modules\/@(?:aws-sdk|smithy|aws)\/|files\/store\/s3/, priority: 2 },
  { name: 'shared', test: /node_modules\/|server\/src\/(?!commands\/|main\.ts|.*\/draw-preview)/, priority: 1 },
]

/** Bundles the programs of the server in `source`, with their packages, into `target`. Returns the bundled packages. */
export async function bundleCode(source: string, target: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: source,
    input: PROGRAMS,
    platform: 'node',
    external: (id) => COPIED_PACKAGES.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [
      {
        name: 'addresses-of-the-source',
        transform: {
          filter: { id: /\/server\/src\/.*\.ts$/ },
          handler: (code, id) => keepAddresses(code, relative(join(source, 'server/src'), id)),
        },
      },
    ],
  })
  const { output } = await bundle.write({
    dir: join(target, CODE_FOLDER),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: PARTS },
  })
  await bundle.close()
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const packages = modules.flatMap((id) => /.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? [])
  return [...new Set(packages.map((folder) => relative(source, folder)))].toSorted()
}

/** A module finds files by its own address: programs are beside the bundle, other files where they are in the source. */
function keepAddresses(code: string, module: string): string {
  return code
    .replaceAll(/new URL\('([\w./-]+)\.ts', import\.meta\.url\)/g, (_, program: string) => {
      return `new URL(import.meta.resolve('./${basename(program)}.js'))`
    })
    .replaceAll('import.meta.url', `new URL('../src/${module}', import.meta.url).href`)
}

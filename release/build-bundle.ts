import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bundleCode, CODE_FOLDER, COPIED_PACKAGES } from './bundle-code.ts'
import {
  type Component,
  listComponents,
  readLockedPackages,
  type ReleaseOrigin,
  renderBill,
} from './bill-of-materials.ts'

const COPIED = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'deploy',
  'docs',
  'openapi.json',
  'scripts/setup.sh',
  'server/assets',
  'server/migrations',
  'web/dist',
]
/** Pictures of the documentation, which are larger than the server. */
const LEFT_OUT = /\/docs\/(?:screenshots|charts)$|\/web\/dist\/\.vite$/
/** The files of `swagger-ui-dist` that the server sends; the others are as large as the rest of the release. */
const EXPLORER_FILES = ['package.json', 'LICENSE', 'NOTICE', 'swagger-ui-bundle.js', 'swagger-ui.css']

/**
 * Builds a release in the empty folder `target`: everything that an installation needs, except Node. `source` is a tree
 * with its packages and its pages built. Returns the SBOM.
 */
export async function buildBundle(source: string, target: string, origin: ReleaseOrigin): Promise<string> {
  await mkdir(target, { recursive: true })
  const bundled = await bundleCode(source, target)
  for (const name of COPIED)
    await cp(join(source, name), join(target, name), { recursive: true, filter: (file) => !LEFT_OUT.test(file) })
  await writeManifest(join(source, 'server/package.json'), join(target, 'server/package.json'))
  const { commit, date, version } = origin
  await writeFile(join(target, 'server/release.json'), `${JSON.stringify({ version, commit, date })}\n`)
  await cp(join(import.meta.dirname, 'run-waypost.js'), join(target, CODE_FOLDER, 'run-waypost.js'))
  await mkdir(join(target, 'bin'))
  await cp(join(import.meta.dirname, 'waypost.sh'), join(target, 'bin/waypost'))
  await chmod(join(target, 'bin/waypost'), 0o755)

  const copied = await copyPackages(source, target)
  const components = await listComponents(source, [...bundled, ...copied])
  await writeFile(join(target, 'THIRD-PARTY.txt'), await renderLicences(source, components))
  const bill = renderBill(origin, components)
  await writeFile(join(target, 'sbom.cdx.json'), bill)
  return bill
}

/** Only the members that Node and the server read. */
async function writeManifest(from: string, to: string): Promise<void> {
  const { name, version, license, type, engines } = JSON.parse(await readFile(from, 'utf8'))
  await writeFile(to, `${JSON.stringify({ name, version, private: true, license, type, engines }, null, 2)}\n`)
}

/** Copies packages that are not bundled, with those that they depend on. Returns their folders. */
async function copyPackages(source: string, target: string): Promise<string[]> {
  const locked = await readLockedPackages(source)
  const copied = new Set<string>()
  const waiting = [...COPIED_PACKAGES]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const folder = `node_modules/${name}`
    const entry = locked[folder]
    // Of the packages with machine code, only those for this system are installed.
    const isInstalled = await readFile(join(source, folder, 'package.json')).then(Boolean, () => false)
    if (copied.has(folder) || !entry || !isInstalled) continue
    copied.add(folder)
    if (name === 'swagger-ui-dist') {
      for (const file of EXPLORER_FILES) await copyFile(join(source, folder, file), join(target, folder, file))
      continue
    }
    await cp(join(source, folder), join(target, folder), { recursive: true })
    waiting.push(...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
  }
  return [...copied]
}

async function copyFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to)
}

/** Most licences demand that their text accompanies the code. */
async function renderLicences(source: string, components: readonly Component[]): Promise<string> {
  const texts = await Promise.all(
    components.map(async ({ name, version, licence, folder, notices }) => {
      const parts = await Promise.all(notices.map((file) => readFile(join(source, folder, file), 'utf8')))
      return [`${'='.repeat(80)}\n${name} ${version} (${licence})\n`, ...parts.map((text) => text.trim())].join('\n')
    }),
  )
  return `Waypost includes these packages.\n\n${texts.join('\n\n')}\n`
}

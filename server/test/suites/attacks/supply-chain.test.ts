import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type Lock,
  lockFaults,
  type Manifest,
  productionPackages,
  readLock,
  readManifest,
  vagueVersions,
} from '../../harness/packages.ts'

const directory = mkdtempSync(join(tmpdir(), 'waypost-packages-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs npm without user settings. */
function npm(where: string, ...words: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: directory, npm_config_cache: join(directory, 'cache') }
  return execFileSync('npm', words, { cwd: where, env, encoding: 'utf8', stdio: 'pipe' })
}

describe('a package with an install script', () => {
  /** A project that depends on the package, with or without our settings. */
  function install(name: string, settings: string[]): string[] {
    const project = join(directory, name)
    const evil = join(project, 'evil')
    mkdirSync(evil, { recursive: true })
    const script = "node -e \"require('node:fs').writeFileSync(process.env.INIT_CWD + '/marker', '')\""
    const scripts = Object.fromEntries(
      ['preinstall', 'install', 'postinstall', 'prepare'].map((each) => [each, script]),
    )
    writeFileSync(join(evil, 'package.json'), JSON.stringify({ name: 'evil', version: '1.0.0', scripts }))
    npm(evil, 'pack', '--ignore-scripts')
    const dependencies = { evil: 'file:evil/evil-1.0.0.tgz' }
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ name: 'x', version: '1.0.0', private: true, dependencies }),
    )
    copyFileSync('.npmrc', join(project, '.npmrc'))
    npm(project, 'install', '--offline', ...settings)
    expect(existsSync(join(project, 'node_modules/evil/package.json'))).toBe(true)
    return ['marker'].filter((file) => existsSync(join(project, file)))
  }

  test('S01 is installed, and its script does not run', () => {
    expect(install('ours', [])).toEqual([])
    expect(install('careless', ['--ignore-scripts=false', '--foreground-scripts'])).toEqual(['marker']) // It would run without our setting.
  })
})

describe('the set of installed packages', () => {
  const INTEGRITY = `sha512-${'a'.repeat(86)}==`
  const locked = (entry: Lock['packages'][string]): Lock => ({
    packages: { '': {}, 'node_modules/planted': { version: '1.0.0', ...entry } },
  })
  const planted = (version: string): Manifest => ({ dependencies: { planted: version } })

  test('S02 is pinned, with integrity hashes, without scripts, and from no named registry', () => {
    expect(lockFaults(readLock())).toEqual([])
    for (const file of ['package.json', 'server/package.json']) expect(vagueVersions(readManifest(file))).toEqual([])
    expect(lockFaults(locked({ integrity: INTEGRITY }))).toEqual([])
  })

  test('S02/planted is refused if one planted entry of any kind is added', () => {
    expect(lockFaults(locked({}))).toEqual(['planted: no integrity'])
    expect(lockFaults(locked({ integrity: 'sha1-AAAA' }))).toEqual(['planted: no integrity'])
    expect(lockFaults(locked({ integrity: INTEGRITY, hasInstallScript: true }))).toEqual(['planted: install script'])
    expect(lockFaults(locked({ integrity: INTEGRITY, resolved: 'https://packages.evil.example/planted.tgz' }))).toEqual(
      ['planted: names a host'],
    )
    expect(lockFaults(locked({ integrity: INTEGRITY, resolved: 'git+ssh://git@evil.example/planted.git' }))).toEqual([
      'planted: names a host',
    ])
    for (const version of [
      '^1.0.0',
      '~1.0.0',
      '1.x',
      '*',
      'latest',
      '',
      '>=1',
      'github:evil/planted',
      'file:../planted',
    ])
      expect(vagueVersions(planted(version))).toEqual([`planted ${version}`])
    expect(vagueVersions(planted('1.0.0'))).toEqual([])
  })

  test('S03 can be listed, and the changelog states its size', () => {
    const { components } = JSON.parse(npm('.', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'))
    const listed = new Set<string>(
      components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`),
    )
    const production = productionPackages(readLock())
    const missing = production.filter(({ name, entry }) => !entry.optional && !listed.has(`${name}@${entry.version}`))
    expect(missing.map(({ name }) => name)).toEqual([])

    const [, count, optional] = /^(\d+), of which (\d+) are optional/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? []
    process.stdout.write(`S03: ${production.length} production packages\n`)
    expect([Number(count), Number(optional)]).toEqual([
      production.length,
      production.filter(({ entry }) => entry.optional).length,
    ])
  })
})

import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../server/test/harness/database.ts'
import { commandEnvironment } from '../server/test/harness/run-command.ts'
import { freePort } from '../server/src/platform/operation/free-port.ts'
import { startServerProcess } from '../server/test/harness/server-process.ts'
import { buildBundle } from './build-bundle.ts'
import { dateSection, replaceVersions } from './prepare-release.ts'
import { packFolder, signChecksums, writeChecksums } from './pack-release.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'waypost-bundle-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const MIB = 2 ** 20
const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const origin = { version: '0.1.0', commit: COMMIT, date: new Date('2026-11-19T12:00:00Z') }
const bundle = join(folder, 'waypost-0.1.0')
const bill = await buildBundle(process.cwd(), bundle, origin)
const waypost = (environment: Record<string, string>, ...words: string[]) =>
  run(join(bundle, 'bin/waypost'), words, {
    env: { ...environment, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` },
  })

test('a release migrates an empty database, and serves API, pages and the explorer from it', async () => {
  const database = await createTestDatabase('empty')
  const port = await freePort()
  const environment = {
    WAYPOST_PORT: String(port),
    ...commandEnvironment(database.appUrl),
    WAYPOST_ENVIRONMENT: 'test',
    WAYPOST_DATABASE_URL: database.appUrl,
    WAYPOST_MIGRATE_URL: database.ownerUrl,
    WAYPOST_DRAIN_SECONDS: '0',
    WAYPOST_ROLES: 'api,worker',
  }
  expect((await waypost({}, '--version')).stdout).toBe(`Waypost 0.1.0 (${COMMIT})\n`)
  await waypost(environment, 'migrate')
  const program = join(bundle, 'server/dist/main.js')
  const server = await startServerProcess(environment, false, undefined, program)
  try {
    const { json } = await server.api.get('/version')
    expect(json).toEqual({ flavor_name: 'Waypost', version_number: '0.1.0', commit: COMMIT })
    for (const path of ['/sign-in', '/api/explorer', '/api/explorer/swagger-ui-bundle.js'])
      expect({ path, status: (await fetch(`http://127.0.0.1:${port}${path}`)).status }).toEqual({ path, status: 200 })
  } finally {
    await server.stop()
  }
  expect(server.output()).not.toMatch(/"level":(?:50|60)/)
})

test('a release without Node is below 60 MiB, has a licence for each package, and lists all that it copies', async () => {
  const { stdout } = await run('du', ['--summarize', '--block-size=1', bundle])
  expect(Number.parseInt(stdout, 10)).toBeLessThan(60 * MIB)
  const { components } = JSON.parse(bill)
  const names = components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'sharp', '@img/sharp-libvips-linux-x64', 'react']))
  expect(names).not.toEqual(expect.arrayContaining(['vitest']))
  const unlicensed = components.filter(({ licenses }: { licenses: unknown }) =>
    JSON.stringify(licenses).includes('NOASSERTION'),
  )
  expect(unlicensed).toEqual([])
})

test('the same files are packed to the same bytes, whatever their times are', async () => {
  const digest = async (file: string) =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  const [one, two] = [join(folder, 'one.tar.gz'), join(folder, 'two.tar.gz')]
  await packFolder(join(bundle, 'bin'), one, origin.date)
  await utimes(join(bundle, 'bin/waypost'), 1, 1)
  await packFolder(join(bundle, 'bin'), two, origin.date)
  expect(await digest(two)).toBe(await digest(one))
})

test('openssl verifies the signature of the checksums, and refuses others', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const keyFile = join(folder, 'key.pem')
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(join(folder, 'file.txt'), 'content')
  await writeChecksums(folder, ['file.txt'])
  await signChecksums(folder, keyFile)
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder })
  const verify = () =>
    run(
      'openssl',
      [
        'pkeyutl',
        '-verify',
        '-pubin',
        '-inkey',
        'waypost.pub',
        '-rawin',
        '-in',
        'SHA256SUMS',
        '-sigfile',
        'SHA256SUMS.sig',
      ],
      { cwd: folder },
    )
  await expect(verify()).resolves.toMatchObject({ stdout: expect.stringContaining('Verified Successfully') })
  await writeFile(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  file.txt\n`)
  await expect(verify()).rejects.toThrow('pkeyutl')
})

test('a release is prepared by dating the changelog and setting the versions of our own packages', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- One.\n'
  expect(dateSection(changelog, '0.2.0', '2026-11-30')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-30)\n\n### Added\n\n- One.\n',
  )
  expect(() => dateSection('# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n', '0.2.0', '2026-11-30')).toThrow(
    'empty',
  )
  const manifest = { name: '@waypost/web', version: '0.1.0', dependencies: { '@waypost/sdk': '0.1.0', other: '0.1.0' } }
  const changed = replaceVersions(JSON.stringify(manifest, null, 2), '0.1.0', '0.2.0')
  expect(JSON.parse(changed)).toEqual({
    ...manifest,
    version: '0.2.0',
    dependencies: { '@waypost/sdk': '0.2.0', other: '0.1.0' },
  })
})

import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'waypost-setup-'))
afterAll(() => rm(folder, { recursive: true }))
const script = join(folder, 'scripts', 'setup.sh')
await mkdir(join(folder, 'scripts'))
await copyFile('scripts/setup.sh', script)
// Everything seems to be installed, so that nothing is.
const programs = join(folder, 'bin')
await mkdir(programs)
for (const [name, text] of [
  ['dpkg-query', 'printf installed'],
  ['apt-get', 'exit 1'],
] as const) {
  await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`)
  await chmod(join(programs, name), 0o755)
}

async function neededPackages(args: readonly string[] = [], more: Record<string, string> = {}): Promise<string[]> {
  const env = { PATH: `${programs}:${process.env['PATH']}`, ...more }
  const { stdout } = await run('bash', [script, ...args], { env })
  return stdout.replace('setup: everything is there:', '').trim().split(' ')
}

const SERVERS = ['postgresql-15', 'apache2', 'libapache2-mod-svn', 'subversion']
const TESTS = ['chromium', 'slapd', 'ldap-utils', 'fonts-noto-color-emoji', 'systemd']

test('the packages for tests are installed in a clone and beside the build tools', async () => {
  expect(await neededPackages()).toEqual([...SERVERS, ...TESTS])
  await mkdir(join(folder, 'node_modules', 'vitest'), { recursive: true })
  expect(await neededPackages()).toEqual([...SERVERS, ...TESTS])
})

test('no browser is installed in production', async () => {
  expect(await neededPackages(['--production'])).toEqual(SERVERS)
  expect(await neededPackages([], { NODE_ENV: 'production' })).toEqual(SERVERS)
  // As `npm ci --omit=dev` leaves it.
  await rm(join(folder, 'node_modules', 'vitest'), { recursive: true, force: true })
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  expect(await neededPackages()).toEqual(SERVERS)
  expect(await neededPackages(['--faults'])).toEqual([
    ...SERVERS,
    'patroni',
    'etcd-server',
    'haproxy',
    'iproute2',
    'strace',
  ])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { COMPILE_CACHE } from '../../test/harness/compile-cache.ts'
import { requireLoopback } from './require-loopback.ts'

const DEV = fileURLToPath(new URL('dev.ts', import.meta.url))

test.each([
  { WAYPOST_HOST: '0.0.0.0' },
  { WAYPOST_HOST: '::' },
  { WAYPOST_HOST: '192.168.1.5' },
  { WAYPOST_HOST: 'build.example' },
  { WAYPOST_HOST: '' },
  { WAYPOST_SVN_LISTEN: '0.0.0.0:8081' },
  { WAYPOST_SVN_SIGN_IN: '10.0.0.1:8082' },
])('B04 dev refuses %j', (environment) => {
  expect(() => requireLoopback(environment)).toThrow(/--expose/)
})

test.each([
  {},
  { WAYPOST_HOST: '127.0.0.1' },
  { WAYPOST_HOST: '127.0.0.53' },
  { WAYPOST_HOST: '::1' },
  { WAYPOST_HOST: 'localhost' },
  { WAYPOST_SVN_LISTEN: '127.0.0.1:8081' },
])('dev accepts %j', (environment) => {
  expect(() => requireLoopback(environment)).not.toThrow()
})

test('B04/start dev exits before it creates or starts anything', async () => {
  const data = await mkdtemp(join(tmpdir(), 'waypost-dev-'))
  const dev = spawn(process.execPath, [DEV, '--data', data, '--port', '0'], {
    env: { ...process.env, ...COMPILE_CACHE, WAYPOST_HOST: '0.0.0.0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    let said = ''
    dev.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await once(dev, 'close')
    expect(dev.exitCode).toBe(1)
    expect(said).toBe(
      'WAYPOST_HOST=0.0.0.0 lets other machines reach the demo accounts. Unset it, or add --expose to allow that.\n',
    )
    expect(await readdir(data)).toEqual([])
  } finally {
    dev.kill('SIGKILL')
    await rm(data, { recursive: true })
  }
})

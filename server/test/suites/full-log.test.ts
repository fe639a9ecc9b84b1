import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createTestClient } from '../harness/client.ts'
import { createTestDatabase } from '../harness/database.ts'
import { TOM } from '../fixtures/people.ts'
import { freePort } from '../../src/platform/operation/free-port.ts'
import { environmentOfServer, MAIN, untilReady } from '../harness/server-process.ts'

// F22: the disk of standard output is full; every write to this device fails with ENOSPC.
const { appUrl } = await createTestDatabase('seeded')

test('a server that cannot write its log keeps serving, and shuts down on request', async () => {
  const port = await freePort()
  const full = openSync('/dev/full', 'w')
  const environment = { WAYPOST_DATABASE_URL: appUrl, WAYPOST_LOG_LEVEL: 'trace', WAYPOST_DRAIN_SECONDS: '0' }
  const server = spawn(process.execPath, [MAIN], {
    env: environmentOfServer(environment, port),
    stdio: ['ignore', full, 'inherit'],
  })
  closeSync(full)
  onTestFinished(() => void server.kill('SIGKILL'))
  const ended = once(server, 'exit')
  const api = createTestClient(`http://127.0.0.1:${port}`)

  await untilReady(port, ended, () => '')
  for (let turn = 0; turn < 20; turn++) expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
  server.kill('SIGTERM')

  expect(await ended).toEqual([0, null])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from './client.ts'
import { createTestDatabase } from './database.ts'
import { TOM } from './people.ts'
import { environmentOfServer, freePort, MAIN, untilReady } from './server-process.ts'

// F22: the disk that standard output goes to is full. Everything that is written to this device fails for want of room.
const { appUrl } = await createTestDatabase('seeded')

test('a server whose log cannot be written goes on, and ends when it is told to', { timeout: 60_000 }, async () => {
  const port = await freePort()
  const full = openSync('/dev/full', 'w')
  const environment = { WAYPOST_DATABASE_URL: appUrl, WAYPOST_LOG_LEVEL: 'trace' }
  const server = spawn(process.execPath, [MAIN], {
    env: environmentOfServer(environment, port),
    stdio: ['ignore', full, 'inherit'],
  })
  closeSync(full)
  onTestFinished(() => void server.kill('SIGKILL'))
  const ended = once(server, 'exit')
  const api = createClient(`http://127.0.0.1:${port}`)

  await untilReady(port, ended, () => '')
  for (let turn = 0; turn < 20; turn++) expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
  server.kill('SIGTERM')

  expect(await ended).toEqual([0, null])
})

// Checks the calls of every public client against a running server: `npm run clients -- --url https://… --login … --password …`.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { print, table } from '../../../src/commands/print.ts'
import { PUBLIC_CLIENTS } from './public-clients.ts'
import { createSend } from './send.ts'
import { type Visited, visitAll } from './visit.ts'
import { basicCredentials, makeClientWorld } from './world.ts'

const DEV = fileURLToPath(new URL('../../../src/commands/dev.ts', import.meta.url))

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    /** A site administrator, who creates the world of the clients, which stays. */
    login: { type: 'string' },
    password: { type: 'string' },
    /** Instead of both: their key, with the scopes `write:rest` and `write:account`. */
    key: { type: 'string' },
    /** Only creates that world, and prints the settings for the clients. */
    world: { type: 'boolean', default: false },
    user: { type: 'string' },
    project: { type: 'string' },
    port: { type: 'string', default: '8097' },
  },
})

process.exitCode = values.url === undefined ? await withOwnServer(visit) : await visit(values.url, readCredentials())

function readCredentials(): Readonly<Record<string, string>> {
  const { key, login = '', password = '' } = values
  return key === undefined ? basicCredentials(login, password) : { 'X-Auth-AccessKey': key }
}

async function visit(url: string, admin: Readonly<Record<string, string>>): Promise<number> {
  const send = createSend(url)
  const mark = randomBytes(3).toString('hex')
  const world = await makeClientWorld(send, admin, {
    user: values.user ?? `client-${mark}`,
    project: values.project ?? `ci-test-${mark}`,
  })
  if (values.world) {
    print(JSON.stringify({ url, ...world }, undefined, 2))
    return 0
  }
  const visited = await visitAll(PUBLIC_CLIENTS, send, world)
  print(tableOf(visited))
  for (const { client, call, missing } of visited)
    if (missing.length > 0) print(`${client}: ${call}\n  ${missing.join('\n  ')}`)
  return visited.some(({ missing }) => missing.length > 0) ? 1 : 0
}

function tableOf(visited: readonly Visited[]): string {
  const rows = PUBLIC_CLIENTS.map(({ name }) => {
    const calls = visited.filter(({ client }) => client === name)
    const good = calls.filter(({ missing }) => missing.length === 0)
    return [name, String(calls.length), String(good.length), good.length === calls.length ? 'complete' : 'FAILS']
  })
  return table([['client', 'calls', 'answered as it needs', ''], ...rows])
}

/** A server like that of `npm run dev`, in an empty folder. */
async function withOwnServer(use: typeof visit): Promise<number> {
  const data = await mkdtemp(join(tmpdir(), 'waypost-clients-'))
  const dev = spawn(process.execPath, [DEV, '--json', '--port', values.port, '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(dev, 'exit')
  try {
    const [line] = await once(createInterface({ input: dev.stdout }), 'line')
    const { url, accounts } = JSON.parse(line)
    const [ada] = accounts
    return await use(url, basicCredentials(ada.username, ada.password))
  } finally {
    dev.kill('SIGINT')
    await ended
    await rm(data, { recursive: true, force: true })
  }
}

// The hostile clients of `npm run attacks -- --crowd`, in a process of their own: started and ended by crowd.ts.
// Requests are bytes that are built once, and of answers only the status is read: little processor time goes into them.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { ACCOUNT_CLASSES, ANONYMOUS_CLASSES, mulberry32, type HostilePlan, type HostileReport } from './crowd-plan.ts'

const MEMBERS = 900_000
const MEMBERS_BYTES = 8 * 1024 * 1024
const CONNECTIONS_OF_ACCOUNT = 4
const START_WITHIN_MS = 1000
const SLOW_READ_MS = 500
const SLOW_READ_BYTES = 64
const SLOW_WRITE_MS = 1000

const plan: HostilePlan = JSON.parse(process.argv[2] ?? '{}')
const { hostname, port } = new URL(plan.origin)
const random = mulberry32(plan.seed)
const answers: Record<string, Record<string, number>> = {}

function count(kind: string, status: string): void {
  const ofKind = (answers[kind] ??= {})
  ofKind[status] = (ofKind[status] ?? 0) + 1
}

/** One address of the loopback network per client: limits are per address. */
const addressOf = (index: number) => `127.1.0.${(index % plan.addresses) + 1}`

function head(method: string, path: string, headers: readonly string[] = []): Buffer {
  return Buffer.from(
    [`${method} ${path} HTTP/1.1`, `Host: ${hostname}`, 'Connection: close', ...headers, '', ''].join('\r\n'),
  )
}

interface Attack {
  readonly kind: string
  readonly address: string
  readonly bytes: readonly Buffer[]
  /** Goes on with a socket that has sent `bytes`; without it the whole answer is read at once. */
  readonly goOn?: (socket: Socket) => void
}

/** One connection with one request. Resolves when it is closed. */
function attack({ kind, address, bytes, goOn }: Attack): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: address })
    let isCounted = false
    const take = (chunk: Buffer | null) => {
      if (isCounted || !chunk) return
      isCounted = true
      count(kind, chunk.toString('latin1', 9, 12))
    }
    socket.on('error', () => {}) // Being cut off is one possible end.
    socket.once('close', () => {
      if (!isCounted) count(kind, 'cut')
      resolve()
    })
    for (const part of bytes) socket.write(part)
    if (goOn) {
      socket.once('readable', () => take(socket.read(12)))
      goOn(socket)
    } else socket.on('data', take)
  })
}

/** Takes a few bytes at a time, and leaves after half a minute. */
function readSlowly(socket: Socket): void {
  const timer = setInterval(() => socket.read(SLOW_READ_BYTES), SLOW_READ_MS)
  const leave = setTimeout(() => socket.destroy(), 20_000 + random() * 20_000)
  socket.once('close', () => {
    clearInterval(timer)
    clearTimeout(leave)
  })
}

/** Sends a byte of its body now and then. */
function writeSlowly(socket: Socket): void {
  const timer = setInterval(() => socket.writable && socket.write(' '), SLOW_WRITE_MS)
  socket.once('readable', () => socket.resume())
  socket.once('close', () => clearInterval(timer))
}

function buildMembers(): Buffer {
  const text = `{${Array.from({ length: MEMBERS }, (_, index) => `"${index.toString(36)}":1`).join(',')}`
  return Buffer.from(`${text}${' '.repeat(MEMBERS_BYTES - text.length - 1)}}`)
}

const JSON_TYPE = 'Content-Type: application/json'
const RESETS = '/api/password_resets'
const ARTIFACTS = `/api/trackers/${plan.tracker}/artifacts`
const expression = encodeURIComponent(JSON.stringify({ summary: '/(a+)+(b+)+(c+)+$/' }))
const shortText = encodeURIComponent(JSON.stringify({ details: 'zq' }))

function withBody(path: string, body: string): Buffer[] {
  const headers = [JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`]
  return [Buffer.concat([head('POST', path, headers), Buffer.from(body)])]
}

function registration(): Buffer[] {
  const name = `stranger${Math.floor(random() * 1e9)}`
  const person = { username: name, real_name: name, email: `${name}@nowhere.example` }
  return withBody('/api/registrations', JSON.stringify({ ...person, password: 'a long enough password' }))
}

const members = buildMembers()
const wholeMembers = [head('POST', RESETS, [JSON_TYPE, `Content-Length: ${members.length}`]), members]
const chunkedMembers = [
  head('POST', RESETS, [JSON_TYPE, 'Transfer-Encoding: chunked']),
  Buffer.from(`${members.length.toString(16)}\r\n`),
  members,
  Buffer.from('\r\n0\r\n\r\n'),
]
const slowBody = [Buffer.concat([head('POST', RESETS, [JSON_TYPE, 'Content-Length: 60000']), Buffer.from('{')])]
const reset = withBody(RESETS, '{"login":"crowd1"}')
const anonymousScan = [head('GET', `${ARTIFACTS}?query=${expression}`)]
const anonymousExport = [head('GET', `${ARTIFACTS}.ndjson?values=all`)]
const list = [head('GET', `${ARTIFACTS}?limit=50`)]

/** The requests of one anonymous client, one after the other. */
function anonymousAttack(kind: (typeof ANONYMOUS_CLASSES)[number], address: string): Attack {
  if (kind === 'slow export') return { kind, address, bytes: anonymousExport, goOn: readSlowly }
  if (kind === 'slow body') return { kind, address, bytes: slowBody, goOn: writeSlowly }
  if (kind === 'registration') return { kind, address, bytes: registration() }
  const bytes = {
    'many members': wholeMembers,
    'chunked members': chunkedMembers,
    expression: anonymousScan,
    'password reset': reset,
    list,
  }[kind]
  return { kind, address, bytes }
}

const ACCOUNT_PATHS: Readonly<Record<(typeof ACCOUNT_CLASSES)[number], readonly string[]>> = {
  'account flood': ['/api/users/self', '/api/projects?limit=50', `${ARTIFACTS}?limit=100`, '/api/users?query=crowd'],
  'account export': [`${ARTIFACTS}.ndjson?values=all`, `${ARTIFACTS}.csv`],
  'account scan': [`${ARTIFACTS}?query=${expression}`, `${ARTIFACTS}?query=${shortText}`],
  'account page': [`${ARTIFACTS}?limit=1000&values=all`],
}

async function repeat(next: () => Attack): Promise<void> {
  await pause(random() * START_WITHIN_MS)
  for (;;) {
    await attack(next())
    await pause(plan.pauseMs)
  }
}

for (let index = 0; index < plan.connections; index++) {
  const kind = ANONYMOUS_CLASSES[index % ANONYMOUS_CLASSES.length]
  if (kind?.startsWith(plan.only)) void repeat(() => anonymousAttack(kind, addressOf(index)))
}
for (const [index, key] of plan.keys.entries()) {
  const kind = ACCOUNT_CLASSES[index % ACCOUNT_CLASSES.length]
  if (!kind?.startsWith(plan.only)) continue
  const address = addressOf(index)
  const requests = ACCOUNT_PATHS[kind].map((path) => [head('GET', path, [`X-Auth-AccessKey: ${key}`])])
  const connections = kind === 'account flood' ? plan.flood : CONNECTIONS_OF_ACCOUNT
  for (let at = 0; at < connections; at++) {
    const bytes = requests[at % requests.length] ?? []
    void repeat(() => ({ kind, address, bytes }))
  }
}

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const report: HostileReport = { answers, processorSeconds: (user + system) / 1e6 }
  process.send?.(report, () => process.exit(0))
})
process.send?.('started')
process.once('disconnect', () => process.exit(0))

import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'

// A feed consumer in a separate process, which is killed repeatedly. It stores its effects and its cursor in one
// transaction in its own database. It reads pages, or follows a stream.

interface ConsumedEvent {
  readonly id: string
  readonly type: string
  readonly object: string | null
}

const { EFFECTS_URL, CONSUMER = '', WAYS = '', KEY = '', ORIGINS = '', QUERY = '' } = process.env
const origins = ORIGINS.split(',')
process.once('disconnect', () => process.exit())

const effects = new Client({ connectionString: EFFECTS_URL })
await effects.connect()
for (let turn = Math.floor(Math.random() * origins.length); ; turn++) {
  const origin = origins[turn % origins.length] ?? ''
  // The server may be dead or die: try the next one from the stored cursor.
  await (WAYS === 'stream' ? follow(origin) : readPage(origin)).catch(() => pause(100))
}

async function loadCursor(): Promise<string> {
  const { rows } = await effects.query<{ place: string }>('select place from cursor where consumer = $1', [CONSUMER])
  return rows[0]?.place ?? ''
}

async function store(events: readonly ConsumedEvent[], next: string): Promise<void> {
  await effects.query('begin')
  for (const { id, type, object } of events)
    await effects.query('insert into effect (consumer, event_id, type, object) values ($1, $2, $3, $4)', [
      CONSUMER,
      id,
      type,
      object,
    ])
  await effects.query('update cursor set place = $2 where consumer = $1', [CONSUMER, next])
  await effects.query('commit')
}

async function readPage(origin: string): Promise<void> {
  const place = await loadCursor()
  const answer = await fetch(`${origin}/api/events?after=${place}&limit=200${QUERY}`, {
    headers: { 'x-auth-accesskey': KEY },
    signal: AbortSignal.timeout(10_000),
  })
  if (answer.status !== 200) throw new Error(`The feed answered ${answer.status}.`)
  const { events, next, has_more }: { events: ConsumedEvent[]; next: string; has_more: boolean } = JSON.parse(
    await answer.text(),
  )
  await store(events, next)
  if (!has_more) await pause(50)
}

async function follow(origin: string): Promise<void> {
  const place = await loadCursor()
  const headers = { accept: 'text/event-stream', 'x-auth-accesskey': KEY, 'last-event-id': place }
  const { promise, resolve, reject } = Promise.withResolvers<AsyncIterable<Buffer>>()
  request(`${origin}/api/events?${QUERY.slice(1)}`, { headers, agent: false }, resolve)
    .on('error', reject)
    .end()
  let rest = ''
  for await (const bytes of await promise) {
    const frames = (rest + bytes.toString()).split('\n\n')
    rest = frames.pop() ?? ''
    const events = frames.flatMap(parseFrame)
    const last = events.at(-1)
    if (last) await store(events, last.id)
  }
}

function parseFrame(frame: string): ConsumedEvent[] {
  const lines = frame.split('\n')
  const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length)
  const kind = lines.find((line) => line.startsWith('event: '))?.slice('event: '.length)
  return data && kind?.includes('.') ? [JSON.parse(data)] : []
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { COMPILE_CACHE } from '../harness/compile-cache.ts'
import { filesEnvironment } from '../harness/storage-settings.ts'
import { startWorld } from '../harness/start-world.ts'
import { startMailPeer } from '../peers/mail-peer.ts'
import { GUS, MARA, OLGA, TOM, UMA } from '../fixtures/people.ts'
import { makePumps } from '../fixtures/pumps.ts'
import { drainWorker } from '../harness/run-jobs.ts'

// Workers are killed by SIGKILL around sending, each at another step. No mail is sent twice.
const peer = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })
const READERS = [TOM, UMA, GUS]
/** The concurrency of a worker: each of these mails may be lost when it dies between hand-over and sending. */
const MAIL_CONCURRENCY = 4

test('workers killed around sending send no mail twice, and every inbox is complete', {
  timeout: 240_000,
}, async () => {
  const pumps = await makePumps(api)
  const id = await pumps.create(MARA)
  await api.patch('/users/self/notification_settings', { as: MARA, body: { mail: 'off' } })
  await drainWorker(context)
  for (const as of READERS) await api.put(`/artifacts/${id}/watch`, { as, body: { level: 'all' } })

  const deaths = ['notice.planned:1', 'notice.written:1', 'mail.composed:3', 'mail.sent:3']
  for (const death of deaths) {
    for (const details of [`before ${death}`, `at ${death}`]) await pumps.change(OLGA, id, { details })
    const doomed = startWorkerProcess(death)
    expect(await doomed.ended).toBe('SIGKILL')
  }
  const last = startWorkerProcess()
  const mails = READERS.length * deaths.length * 2
  await until(() => isDone(mails))
  last.kill()
  await last.ended

  const ids = peer.mails.map(({ headers }) => headers.get('message-id')?.join())
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThanOrEqual(mails - 2 * MAIL_CONCURRENCY)
  for (const as of READERS) {
    const { json } = await api.get('/notifications', { as })
    const versions = json.map(({ event }: { event: { version: number } }) => event.version)
    expect(versions).toEqual([9, 8, 7, 6, 5, 4, 3, 2])
  }
})

async function isDone(mails: number): Promise<boolean> {
  const { rows } = await sql<{ mails: number; open: number }>`
    select (select count(*) from notice_mail) as mails,
      (select count(*) from job where state <> 'done') as open`.execute(context.db)
  return rows[0]?.mails === mails && rows[0].open === 0
}

function startWorkerProcess(crash?: string) {
  const { WAYPOST_DATABASE_URL } = context.config
  const child = spawn(
    process.execPath,
    ['--conditions=faults', fileURLToPath(new URL('../harness/worker-process.ts', import.meta.url))],
    {
      env: {
        PATH: process.env['PATH'],
        ...COMPILE_CACHE,
        WAYPOST_ENVIRONMENT: 'test',
        WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
        WAYPOST_PUBLIC_URL: 'https://waypost.example',
        WAYPOST_LOG_LEVEL: 'silent',
        ...filesEnvironment(WAYPOST_DATABASE_URL),
        WAYPOST_DATABASE_URL,
        WAYPOST_SMTP_URL: peer.url,
        ...(crash !== undefined && { WAYPOST_CRASH: crash }),
      },
      stdio: 'ignore',
    },
  )
  const ended = once(child, 'exit').then(() => child.signalCode ?? child.exitCode)
  return { ended, kill: () => void child.kill('SIGTERM') }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(50)
}

import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../../test/peers/mail-peer.ts'
import { MARA, OLGA, type TestPerson, TOM } from '../../../../test/fixtures/people.ts'
import { makePumps, type Pumps } from '../../../../test/fixtures/pumps.ts'
import { drainWorker, runJobs } from '../../../../test/harness/run-jobs.ts'
import { settleFeed } from '../../../../test/harness/settle-feed.ts'
import { createMailer } from '../../../platform/jobs/mailer.ts'
import { noticePoller } from '../planning/notice-poller.ts'

const peer = await startMailPeer()
const { api, context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })
let pumps: Pumps
let id: number
beforeEach(async () => {
  pumps = await makePumps(api)
  id = await pumps.create(MARA)
  await settings(MARA, { mail: 'off' })
  await drainWorker(context)
  await watch(TOM)
})

const watch = (as: TestPerson) => api.put(`/artifacts/${id}/watch`, { as, body: { level: 'all' } })
const settings = (as: TestPerson, body: object) => api.patch('/users/self/notification_settings', { as, body })
const mailsTo = ({ email }: TestPerson) => peer.mails.filter(({ to }) => to[0] === email)
const change = async () => {
  await pumps.change(OLGA, id, { details: 'x' })
  await settleFeed(context)
  while (await noticePoller.turn(context));
}
/** The same platform with another mail server. */
const sendingTo = (WAYPOST_SMTP_URL: string) => ({
  ...context,
  mailer: createMailer({ ...context.config, WAYPOST_SMTP_URL }, context.settings),
})
const hoursLater = async () => {
  for (let time = 0; time < 3; time++) {
    clock.advance(3_600_000)
    await runJobs(context)
  }
}

describe('a mail server', () => {
  test.each([451, 550])('that refuses with %d gets the same mail later, once', async (code) => {
    peer.refuseWith({ code, message: 'later' })
    await change()
    await runJobs(context)
    clock.advance(10_000)
    await runJobs(context)
    expect(peer.mails).toEqual([])
    peer.refuseWith(undefined)
    await hoursLater()
    expect(mailsTo(TOM)).toHaveLength(1)
  })

  test('that cannot be reached gets the mail later, once', async () => {
    await change()
    await runJobs(sendingTo('smtp://127.0.0.1:1'))
    expect(peer.mails).toEqual([])
    await hoursLater()
    expect(mailsTo(TOM)).toHaveLength(1)
  })

  test('that accepts a mail without a reply does not get it again; the inbox has it', async () => {
    const silent = await startSilentServer()
    await change()
    await runJobs(sendingTo(silent.url))
    expect(silent.taken()).toBe(1)
    await hoursLater()
    expect([silent.taken(), mailsTo(TOM)]).toEqual([1, []])
    expect((await api.get('/notifications', { as: TOM })).json).toHaveLength(1)
    const { rows } = await sql`select from job where state <> 'done'`.execute(context.db)
    expect(rows).toEqual([])
  })

  test('gets at most 200 mails an hour for one person; the rest is sent as a digest', async () => {
    await sql`insert into notified_event (id, xid, epoch, "on", type, payload)
      select -number, '1', 'e', now(), 'test', '{}' from generate_series(1, 199) number`.execute(context.db)
    await sql`insert into notice_mail (account_id, event_id, why, planned_on, handed_over_on)
      select ${TOM.id}, -number, 'watch', ${clock.now()}, ${clock.now()} from generate_series(1, 199) number`.execute(
      context.db,
    )
    for (const details of ['one', 'two', 'three']) await pumps.change(OLGA, id, { details })
    await drainWorker(context)
    expect(mailsTo(TOM)).toHaveLength(1)
    clock.advance(3_600_000)
    await drainWorker(context)
    expect(mailsTo(TOM).map(({ subject }) => subject)).toEqual([`[pump #${id}] Pump leaks`, '2 changes on Waypost'])
    await pumps.change(OLGA, id, { details: 'four' })
    await drainWorker(context)
    expect(mailsTo(TOM)).toHaveLength(3)
  })
})

/** Accepts complete mails and closes the connection without a reply. */
async function startSilentServer(): Promise<{ url: string; taken(): number }> {
  let taken = 0
  const talk = (socket: Socket) => {
    let isMail = false
    socket.on('error', () => {})
    socket.write('220 silent\r\n')
    socket.on('data', (chunk: Buffer) => {
      const said = chunk.toString()
      if (isMail && !said.includes('\r\n.\r\n')) return
      if (isMail) {
        taken++
        socket.destroy()
        return
      }
      isMail = said.startsWith('DATA')
      socket.write(isMail ? '354 go on\r\n' : '250 fine\r\n')
    })
  }
  const server = createServer(talk).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `smtp://127.0.0.1:${port}`, taken: () => taken }
}

import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startWorld } from '../../../../test/harness.ts'
import { startMailPeer } from '../../../../test/mail-peer.ts'
import { MARA, OLGA, type Person, TOM } from '../../../../test/people.ts'
import { makePumps, type Pumps } from '../../../../test/pumps.ts'
import { runJobs } from '../../../../test/run-jobs.ts'
import { settleFeed, workOffFeed } from '../../../../test/settle-feed.ts'
import { createMailer } from '../../../platform/jobs/mail.ts'
import { noticePump } from '../planning/notice-pump.ts'

const peer = await startMailPeer()
const { api, context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })
let pumps: Pumps
let id: number
beforeEach(async () => {
  pumps = await makePumps(api)
  id = await pumps.create(MARA)
  await settings(MARA, { mail: 'off' })
  await workOffFeed(context)
  await watch(TOM)
})

const watch = (as: Person) => api.put(`/artifacts/${id}/watch`, { as, body: { level: 'all' } })
const settings = (as: Person, body: object) => api.patch('/users/self/notification_settings', { as, body })
const mailsTo = ({ email }: Person) => peer.mails.filter(({ to }) => to[0] === email)
const change = async () => {
  await pumps.change(OLGA, id, { details: 'x' })
  await settleFeed(context)
  while (await noticePump.turn(context));
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

  test('that takes a mail and says nothing is not sent it again; the inbox has it', async () => {
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

  test('gets no more than 200 mails an hour for one person; the rest comes as a digest', async () => {
    await sql`insert into notified_event (id, xid, epoch, "on", type, payload)
      select -number, '1', 'e', now(), 'test', '{}' from generate_series(1, 199) number`.execute(context.db)
    await sql`insert into notice_mail (account_id, event_id, why, planned_on, handed_over_on)
      select ${TOM.id}, -number, 'watch', ${clock.now()}, ${clock.now()} from generate_series(1, 199) number`.execute(
      context.db,
    )
    for (const details of ['one', 'two', 'three']) await pumps.change(OLGA, id, { details })
    await workOffFeed(context)
    expect(mailsTo(TOM)).toHaveLength(1)
    clock.advance(3_600_000)
    await workOffFeed(context)
    expect(mailsTo(TOM).map(({ subject }) => subject)).toEqual([`[pump #${id}] Pump leaks`, '2 changes on Waypost'])
    await pumps.change(OLGA, id, { details: 'four' })
    await workOffFeed(context)
    expect(mailsTo(TOM)).toHaveLength(3)
  })
})

/** Takes whole mails, and goes away without a word. */
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

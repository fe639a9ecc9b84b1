import { beforeEach, describe, expect, test } from 'vitest'
import { FIELD_CANARIES } from '../../../../test/fixtures/canaries.ts'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../../test/peers/mail-peer.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../../../../test/fixtures/people.ts'
import { hidePumps, makePumps, type Pumps } from '../../../../test/fixtures/pumps.ts'
import { drainWorker, runJobs } from '../../../../test/harness/run-jobs.ts'

const peer = await startMailPeer()
const { api, context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })
let pumps: Pumps
let id: number
beforeEach(async () => {
  pumps = await makePumps(api)
  id = await pumps.create(MARA)
  await settings(MARA, { mail: 'off' })
  await drainWorker(context)
  await api.put(`/artifacts/${id}/watch`, { as: TOM, body: { level: 'all' } })
})

const settings = (as: TestPerson, body: object) => api.patch('/users/self/notification_settings', { as, body })
const change = async (...details: string[]) => {
  for (const words of details) await pumps.change(OLGA, id, { details: words })
  await drainWorker(context)
}
const at = async (moment: string) => {
  clock.set(moment)
  await runJobs(context)
}

describe('a digest', () => {
  test('is sent at the full hour, with everything that happened', async () => {
    await settings(TOM, { mail: 'hourly' })
    await change('one', 'two')
    await at('2026-03-01T09:59:59Z')
    expect(peer.mails).toEqual([])
    await at('2026-03-01T10:00:00Z')
    expect(peer.mails).toMatchObject([{ to: [TOM.email], subject: '2 changes on Waypost' }])
    const [mail] = peer.mails
    expect(mail?.text).toMatch(/details: one\n[^]*details: one → two\n/)
    expect(mail?.html).toContain('<li>details: one → two</li>')
    expect(mail?.headers.get('list-unsubscribe')?.[0]).toMatch(/^<https:\/\/waypost\.example\/api\/unsubscribe\/\S+>$/)
    await change('three')
    await at('2026-03-01T11:00:00Z')
    expect(peer.mails.map(({ subject }) => subject)).toEqual(['2 changes on Waypost', '1 change on Waypost'])
  })

  test('is sent daily at the chosen hour, in the time zone of the account', async () => {
    await settings(TOM, { mail: 'daily', digest_hour: 8 })
    await api.patch(`/users/${TOM.id}`, { as: ADA, body: { time_zone: 'America/New_York' } })
    await change('one')
    await at('2026-03-01T12:59:00Z')
    expect(peer.mails).toEqual([])
    await at('2026-03-01T13:00:00Z') // 8 o'clock in that zone.
    expect(peer.mails).toHaveLength(1)
    await change('two')
    await at('2026-03-02T12:59:00Z')
    expect(peer.mails).toHaveLength(1)
    await at('2026-03-02T13:00:00Z')
    expect(peer.mails).toHaveLength(2)
  })

  test('is cut to the permissions at sending time, and is not sent if nothing is left', async () => {
    await settings(TOM, { mail: 'hourly' })
    await pumps.change(ADA, id, { details: 'x', for_leads: FIELD_CANARIES.leads.value })
    await change('y')
    await hidePumps(api, pumps)
    await at('2026-03-01T10:00:00Z')
    expect(peer.mails).toEqual([])
  })

  test('that the mail server refuses is sent later, once and complete', async () => {
    await settings(TOM, { mail: 'hourly' })
    await change('one', 'two')
    peer.refuseWith({ code: 451, message: 'later' })
    await at('2026-03-01T10:00:00Z')
    peer.refuseWith(undefined)
    await at('2026-03-01T10:00:10Z')
    await at('2026-03-01T12:00:00Z')
    expect(peer.mails.map(({ subject }) => subject)).toEqual(['2 changes on Waypost'])
  })

  test('is not sent to an account that has switched mails off since', async () => {
    await settings(TOM, { mail: 'hourly' })
    await change('one')
    await settings(TOM, { mail: 'off' })
    await at('2026-03-01T10:00:00Z')
    expect(peer.mails).toEqual([])
    await settings(TOM, { mail: 'hourly' })
    await change('two')
    await at('2026-03-01T11:00:00Z')
    expect(peer.mails.map(({ subject }) => subject)).toEqual(['1 change on Waypost'])
  })
})

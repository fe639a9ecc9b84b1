import { beforeAll, describe, expect, test } from 'vitest'
import { COMMENT_CANARY, FIELD_CANARIES } from '../../../test/fixtures/canaries.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, RITA, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { makeVisibilityWorld } from '../../../test/fixtures/visibility-world.ts'

// Every person watches everything, while artifacts are created of which each sees another part. The client and the mail
// server search everything that a person gets for secrets.
const peer = await startMailPeer()
const { api, context } = await startWorld({ seedOnce: true, environment: { WAYPOST_SMTP_URL: peer.url } })
const READERS = { OLGA, GUS, TOM, UMA, MARA, ADA, VICTOR }
const mails: (typeof peer.mails)[number][] = []

beforeAll(async () => {
  for (const as of Object.values(READERS)) await api.put(`/projects/${ORCHARD}/watch`, { as, body: { level: 'all' } })
  await api.patch('/users/self/notification_settings', { as: RITA, body: { default_level: 'all' } })
  await makeVisibilityWorld(api)
  await drainWorker(context)
  mails.push(...peer.mails)
})

describe.each(Object.entries(READERS))('%s', (_, as) => {
  test.each(['application/json', 'application/xml'])('Z04 reads nothing hidden in the inbox, as %s', async (accept) => {
    for (let offset = 0; offset < 200; offset += 50) {
      const { status } = await api.get(`/notifications?limit=50&offset=${offset}`, { as, headers: { accept } })
      expect(status).toBe(200)
    }
  })

  test('Z17 is mailed nothing hidden, and is notified of nothing that the API does not show', async () => {
    peer.mails.push(...mails.filter(({ to }) => to[0] === as.email)) // Searched when the test ends.
    const { json } = await api.get('/notifications?limit=100', { as })
    const objects = new Set<string>(json.map(({ object }: { object: string }) => object))
    for (const object of [...objects].filter((each) => each.startsWith('artifacts/'))) {
      const isDeleted = json.some(
        (entry: { object: string; event: { type: string } }) =>
          entry.object === object && entry.event.type === 'artifact.deleted',
      )
      const { status } = await api.get(`/${object}`, { as })
      expect([object, status]).toEqual([object, isDeleted ? 404 : 200])
    }
  })
})

test('a person with permission to read a secret was mailed it', () => {
  const words = ({ email }: TestPerson) => mailsTo(email).join('\n')
  expect(words(UMA)).toContain(FIELD_CANARIES.leads.value)
  expect(words(GUS)).toContain(COMMENT_CANARY)
  expect(words(MARA)).toContain(FIELD_CANARIES.admins.value)
  expect(words(TOM)).toContain(FIELD_CANARIES.members.value)
  expect(mailsTo(OLGA.email).length).toBeGreaterThan(5)
  expect(mailsTo(RITA.email)).toEqual([])
})

function mailsTo(address: string): string[] {
  return mails.filter(({ to }) => to[0] === address).map(({ text }) => text)
}

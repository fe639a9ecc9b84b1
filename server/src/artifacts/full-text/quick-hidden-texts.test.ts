import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { COMMENT_CANARY, FIELD_CANARIES, HIDDEN_CANARY, VAULT_CANARY } from '../../../test/fixtures/canaries.ts'
import {
  CANARY_READERS,
  CANARY_VIEWER_NAMES,
  CANARY_VIEWERS,
  READERS_OF_CANARIES,
} from '../../../test/fixtures/canary-readers.ts'
import type { Response } from '../../../test/harness/client.ts'
import { makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { GUS, MARA, OLGA, type TestPerson } from '../../../test/fixtures/people.ts'
import { LEADS } from '../../../test/fixtures/seed-ids.ts'
import { makeVisibilityWorld, type VisibilityWorld } from '../../../test/fixtures/visibility-world.ts'

/**
 * A quick search reveals nothing of texts that the viewer may not read. The test client looks for secrets in every response.
 */
const { api, clock, context } = await startWorld({ seedOnce: true })
let world: VisibilityWorld
beforeAll(async () => {
  world = await makeVisibilityWorld(api)
})

const search = (query: string, as: TestPerson | undefined): Promise<Response> =>
  api.get(`/search?${new URLSearchParams({ query, limit: '20' }).toString()}`, as && { as })
const idsIn = ({ json }: Response): number[] => json.artifacts.map(({ id }: { id: number }) => id)
const found = (answer: Response): number[] => idsIn(answer).toSorted((one, other) => one - other)

describe.each(CANARY_VIEWER_NAMES)('%s', (name) => {
  const person = CANARY_VIEWERS[name]

  test.each(READERS_OF_CANARIES)('finds $value if $readers may', async ({ value, readers }) => {
    const expected = readers.includes(name) ? [world.crates.ids.full] : []
    for (const keywords of [value, `full ${value}`, value.slice(0, -2), `"${value}"`]) {
      expect([keywords, found(await search(keywords, person))]).toEqual([keywords, expected])
    }
  })

  test('finds words of fields that the viewer may update, not of fields that they may only submit', async () => {
    expect(found(await search('kept', person))).toEqual(
      CANARY_READERS.members.includes(name) ? [world.crates.ids.full] : [],
    )
    expect(found(await search('given', person))).toEqual(
      CANARY_READERS.admins.includes(name) ? [world.crates.ids.full] : [],
    )
  })

  test('finds a comment that is restricted to a group of the viewer', async () => {
    const isFor = ['GUS', 'UMA', 'MARA', 'ADA'].includes(name)
    expect(found(await search(COMMENT_CANARY, person))).toEqual(isFor ? [world.crates.ids.full] : [])
  })

  test('finds no artifact that the viewer does not see', async () => {
    const { crates, parcels, whispers } = world
    const hidden = [whispers.id, parcels.ids.forAdmins, crates.ids.hiddenChild]
    const isFor = name === 'MARA' || name === 'ADA'
    const ids = hidden.toSorted((one, other) => one - other)
    expect(found(await search(HIDDEN_CANARY, person))).toEqual(isFor ? ids : [])
    for (const id of hidden) {
      const keywords = [`${id}`, `art #${id}`]
      for (const each of keywords) expect(found(await search(each, person)).includes(id)).toBe(isFor)
    }
  })

  test('finds nothing in a project that the viewer may not enter', async () => {
    const answer = await search(VAULT_CANARY, person)
    const isFor = name === 'VICTOR' || name === 'ADA'
    expect(found(answer)).toEqual(isFor ? [world.vault.id] : [])
    expect(answer.json.projects).toHaveLength(isFor ? 1 : 0)
    expect(found(await search(`coffer #${world.vault.id}`, person))).toEqual(isFor ? [world.vault.id] : [])
  })

  test('finds only the parcels that the viewer sees', async () => {
    const listed = await api.get(`/trackers/${world.parcels.tracker.id}/artifacts?values=all`, person && { as: person })
    const seen: readonly { id: number; title: string }[] = listed.status === 200 ? listed.json : []
    const ids = seen.filter(({ title }) => title.startsWith('Of')).map(({ id }) => id)
    const parcels = (await search('of', person)).json.artifacts.filter(
      ({ tracker }: { tracker: { id: number } }) => tracker.id === world.parcels.tracker.id,
    )
    expect(parcels.map(({ id }: { id: number }) => id).toSorted((one: number, other: number) => one - other)).toEqual(
      ids,
    )
  })
})

describe('an unreadable title', () => {
  let sealed: readonly number[]
  beforeAll(async () => {
    const inside = { permissions: { read: ['@admins'], submit: ['@admins'], update: ['@admins'] } }
    const tracker = await makeTestTracker(api, {
      label: 'Sealed',
      item_name: 'sealed',
      permissions: { full: ['@anonymous'] },
      elements: [
        { name: 'summary', type: 'string', label: 'Summary', ...inside },
        { name: 'details', type: 'text', label: 'Details' },
        {
          name: 'status',
          type: 'sb',
          label: 'Status',
          ...inside,
          bind: { type: 'static', values: [{ key: 'open', label: 'Open' }] },
        },
      ],
      semantics: { title: 'summary', status: { field: 'status', open: ['open'] } },
    })
    const make = async (summary: string, details: string) => {
      clock.advance(1000)
      return makeTestArtifact(api, tracker, { summary, details, status: 'Open' })
    }
    sealed = [await make('Falcon', 'A falcon'), await make('Other', 'Another falcon'), await make('Falcon', 'Nothing')]
  })

  test('is neither found nor shown, and does not affect the order', async () => {
    const [first, second, third] = sealed
    expect(idsIn(await search('falcon', MARA))).toEqual([third, first, second])
    const answer = await search('falcon', OLGA)
    expect(answer.json.artifacts).toMatchObject([
      { id: second, title: null, matched: 'text', snippet: 'Another falcon', status: null },
      { id: first, title: null, matched: 'text', snippet: 'A falcon', status: null },
    ])
    expect(idsIn(await search('fa', OLGA))).toEqual([])
    expect(idsIn(await search(String(third), OLGA))).toEqual([third])
  })

  test('of an earlier field is not found while the narrow copy still has it', async () => {
    const [, , third] = sealed
    const { rows } = await sql<{ id: number }>`
      update artifact_summary set folded_title = 'kestrel' where id = ${third} returning id`.execute(context.db)
    expect(rows).toHaveLength(1)
    for (const person of [MARA, OLGA]) expect(idsIn(await search('kestrel', person))).toEqual([])
    expect(idsIn(await search('ke', MARA))).toEqual([])
  })
})

test('a withdrawn right takes effect on the next search', async () => {
  expect(found(await search(COMMENT_CANARY, GUS))).toHaveLength(1)
  const users = { user_references: [{ username: 'uma' }] }
  expect((await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: users })).status).toBe(200)
  expect(found(await search(COMMENT_CANARY, GUS))).toEqual([])
  expect(found(await search(FIELD_CANARIES.leads.value, GUS))).toEqual([])
})

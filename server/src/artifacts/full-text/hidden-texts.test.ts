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
import { GUS, MARA, OLGA, type TestPerson, SAM } from '../../../test/fixtures/people.ts'
import { LEADS, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { makeVisibilityWorld, type VisibilityWorld } from '../../../test/fixtures/visibility-world.ts'

/**
 * A search reveals nothing of texts that the viewer may not read. The test client looks for secrets in every response.
 */
const { api, clock } = await startWorld({ seedOnce: true })
let world: VisibilityWorld
beforeAll(async () => {
  world = await makeVisibilityWorld(api)
})

const search = (keywords: string, as: TestPerson | undefined, more: object = {}): Promise<Response> =>
  api.post('/search', { ...(as && { as }), body: { keywords, ...more } })
const found = ({ status, json }: Response): number[] =>
  (status === 200 ? json : [])
    .map(({ per_type_id }: { per_type_id: number }) => per_type_id)
    .toSorted((one: number, other: number) => one - other)
const sizeOf = ({ headers }: Response) => Number(headers['x-pagination-size'])

describe.each(CANARY_VIEWER_NAMES)('%s', (name) => {
  const person = CANARY_VIEWERS[name]

  test.each(READERS_OF_CANARIES)('finds $value if $readers may', async ({ value, readers }) => {
    const expected = readers.includes(name) ? [world.crates.ids.full] : []
    for (const keywords of [value, `full ${value}`, value.slice(0, -2), `"${value}"`]) {
      const answer = await search(keywords, person)
      expect([keywords, found(answer), sizeOf(answer)]).toEqual([keywords, expected, expected.length])
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
    const answer = await search(COMMENT_CANARY, person)
    expect([found(answer), sizeOf(answer)]).toEqual(isFor ? [[world.crates.ids.full], 1] : [[], 0])
  })

  test('finds no artifact that the viewer does not see', async () => {
    const { crates, parcels, whispers } = world
    const hidden = [whispers.id, parcels.ids.forAdmins, crates.ids.hiddenChild]
    const isFor = name === 'MARA' || name === 'ADA'
    const answer = await search(HIDDEN_CANARY, person)
    expect([found(answer), sizeOf(answer)]).toEqual(isFor ? [hidden.toSorted((one, other) => one - other), 3] : [[], 0])
    for (const id of hidden) {
      const keywords = [`${id}`, `art #${id}`]
      for (const each of keywords) expect(found(await search(each, person)).includes(id)).toBe(isFor)
    }
  })

  test('finds nothing in a project that the viewer may not enter', async () => {
    const answer = await search(VAULT_CANARY, person)
    const isFor = name === 'VICTOR' || name === 'ADA'
    expect([found(answer), sizeOf(answer)]).toEqual(isFor ? [[VAULT, world.vault.id], 2] : [[], 0])
    expect(found(await search(`coffer #${world.vault.id}`, person))).toEqual(isFor ? [world.vault.id] : [])
  })

  test('finds only the parcels that the viewer sees', async () => {
    const answer = await search('of', person, { tracker: world.parcels.tracker.id })
    const listed = await api.get(`/trackers/${world.parcels.tracker.id}/artifacts?values=all`, person && { as: person })
    const seen: readonly { id: number; title: string }[] = listed.status === 200 ? listed.json : []
    const ids = seen.filter(({ title }) => title.startsWith('Of')).map(({ id }) => id)
    expect([answer.status, found(answer), answer.headers['x-pagination-size']]).toEqual(
      listed.status === 200 ? [200, ids, String(ids.length)] : [400, [], undefined],
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

  test('is neither found nor shown, and does not affect the rank', async () => {
    const [first, second, third] = sealed
    const ids = ({ json }: Response) => json.map(({ per_type_id }: { per_type_id: number }) => per_type_id)
    expect(ids(await search('falcon', MARA))).toEqual([third, first, second])
    const answer = await search('falcon', OLGA)
    expect([ids(answer), sizeOf(answer)]).toEqual([[second, first], 2])
    expect(answer.json).toMatchObject([
      { title: null, cropped_content: 'Another falcon' },
      { title: null, cropped_content: 'A falcon' },
    ])
    expect(ids(await search(String(third), OLGA))).toEqual([third])
  })

  test('has a status that cannot be searched for either', async () => {
    expect(found(await search('falcon', MARA, { is_open: true }))).toHaveLength(3)
    expect(found(await search('falcon', OLGA, { is_open: true }))).toEqual([])
    expect(found(await search('falcon', OLGA, { is_open: false }))).toHaveLength(2)
  })
})

test('a withdrawn right takes effect on the next search', async () => {
  expect(found(await search(COMMENT_CANARY, GUS))).toHaveLength(1)
  const users = { user_references: [{ username: 'uma' }] }
  expect((await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: users })).status).toBe(200)
  expect(found(await search(COMMENT_CANARY, GUS))).toEqual([])
  expect(found(await search(FIELD_CANARIES.leads.value, GUS))).toEqual([])
})

test('a suspended caller cannot search', async () => {
  expect((await search('full', SAM)).status).toBe(403)
})

import { describe, expect, test } from 'vitest'
import { LEDGER_CANARY, VAULT_CANARY } from '../../../test/fixtures/canaries.ts'
import type { Response } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, RITA, SAM, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { BUGS, LEDGER, ORCHARD, QUARRY, SAFE, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api } = await startWorld({ seedOnce: true })

type Kind = 'artifacts' | 'trackers' | 'projects' | 'people'
const search = (query: string, as?: TestPerson, more: Record<string, string> = {}): Promise<Response> =>
  api.get(`/search?${new URLSearchParams({ query, ...more }).toString()}`, as && { as })
const idsOf = async (kind: Kind, query: string, as?: TestPerson, more?: Record<string, string>): Promise<number[]> =>
  (await search(query, as, more)).json[kind].map(({ id }: { id: number }) => id)

describe('GET /search', () => {
  test('finds projects, trackers and people by beginnings of words', async () => {
    const { status, json } = await search('orch', TOM)
    expect([status, json]).toEqual([
      200,
      {
        artifacts: [],
        trackers: [],
        projects: [
          {
            id: ORCHARD,
            uri: `projects/${ORCHARD}`,
            label: '🌳 Orchard',
            label_without_icon: 'Orchard',
            shortname: 'orchard',
            status: 'active',
            access: 'public',
            is_template: false,
            icon: '🌳',
            html_url: '/projects/orchard',
            is_member_of: true,
          },
        ],
        people: [],
        files: [],
        commits: [],
      },
    ])
    const trackers = (await search('bu', TOM)).json.trackers
    expect(trackers).toMatchObject([
      {
        id: BUGS,
        uri: `trackers/${BUGS}`,
        html_url: `/trackers/${BUGS}`,
        project: { id: ORCHARD, shortname: 'orchard' },
      },
    ])
    expect((await search('till', TOM)).json.people).toMatchObject([{ id: TOM.id, username: 'tom' }])
  })

  test.each([
    ['the login', 'to', [TOM.id]],
    ['the login after @', '@tom', [TOM.id]],
    ['both names', 'tom til', [TOM.id]],
    ['another case', 'TILLER', [TOM.id]],
    ['the middle of a name', 'iller', []],
    ['a pattern', 't%m', []],
  ])('finds a person by %s', async (_, query, ids) => {
    expect(await idsOf('people', query, MARA)).toEqual(ids)
  })

  test('finds the people of the own projects first', async () => {
    const all = await idsOf('people', 'a', OLGA, { limit: '20' })
    expect(all).toEqual([ADA.id])
    expect((await idsOf('people', 'u', TOM)).length).toBeGreaterThan(0)
  })

  test('finds the members of a given project before other people, and tells only members', async () => {
    const inside = await idsOf('people', 'u', TOM, { project: String(ORCHARD), limit: '20' })
    const { json } = await api.get(`/user_groups/${ORCHARD}_3/users`, { as: MARA })
    const members = json.map(({ id }: { id: number }) => id)
    const isMember = inside.map((id) => members.includes(id))
    expect(isMember).toContain(true)
    expect(isMember).toEqual(isMember.toSorted((one, other) => Number(other) - Number(one)))
    expect(await idsOf('people', 'a', OLGA, { project: String(ORCHARD), limit: '20' })).toEqual(
      await idsOf('people', 'a', OLGA, { limit: '20' }),
    )
  })

  test('finds only people that the viewer may see', async () => {
    expect(await idsOf('people', 'tom', OLGA)).toEqual([TOM.id])
    expect(await idsOf('people', 'tom', RITA)).toEqual([])
    expect(await idsOf('people', 'victor', RITA)).toEqual([VICTOR.id])
    expect(await idsOf('people', 'tom')).toEqual([])
    expect(await idsOf('people', 'sam', MARA)).toEqual([])
  })

  test('finds only projects and trackers that the viewer may see', async () => {
    expect(await idsOf('projects', 'canary', TOM)).toEqual([])
    expect(await idsOf('projects', 'canary', RITA)).toEqual([QUARRY])
    expect((await idsOf('projects', 'canary', VICTOR)).toSorted((one, other) => one - other)).toEqual([VAULT, QUARRY])
    expect(await idsOf('projects', VAULT_CANARY, OLGA)).toEqual([])
    expect(await idsOf('trackers', VAULT_CANARY, TOM)).toEqual([])
    expect(await idsOf('trackers', VAULT_CANARY, VICTOR)).toEqual([SAFE])
    expect(await idsOf('trackers', LEDGER_CANARY, TOM)).toEqual([])
    expect(await idsOf('trackers', LEDGER_CANARY, MARA)).toEqual([LEDGER])
  })

  test('is limited to a project, for artifacts and trackers', async () => {
    expect(await idsOf('trackers', 'bugs', TOM, { project: String(ORCHARD) })).toEqual([BUGS])
    expect(await idsOf('trackers', VAULT_CANARY, VICTOR, { project: String(ORCHARD) })).toEqual([])
    expect(await idsOf('people', 'tom', VICTOR, { project: String(VAULT) })).toEqual([TOM.id])
  })

  test('is limited to a kind, and to a number of hits', async () => {
    const { json } = await search('o', TOM, { only: 'people' })
    expect(json).toMatchObject({ artifacts: [], trackers: [], projects: [], people: [{ id: OLGA.id }] })
    expect(await idsOf('projects', 'canary', VICTOR, { limit: '1' })).toHaveLength(1)
  })

  test.each(['%%', '.*', '(?:', '\\', '"', '#', '@', '***:orchard', "' or 1=1 --"])(
    'treats %s literally',
    async (query) => {
      expect((await search(query, ADA)).json).toEqual({
        artifacts: [],
        trackers: [],
        projects: [],
        people: [],
        files: [],
        commits: [],
      })
    },
  )

  test('refuses an empty query, a long one, an unknown kind, a limit out of range and an unknown project', async () => {
    expect(await search('   ', TOM)).toMatchObject(refused(400, 'parameter_out_of_range'))
    expect(await search('x'.repeat(201), TOM)).toMatchObject(refused(400, 'parameter_out_of_range'))
    expect((await search('x', TOM, { only: 'wikis' })).status).toBe(400)
    expect((await search('x', TOM, { limit: '21' })).status).toBe(400)
    for (const project of [VAULT, 999_999])
      expect(await search('x', TOM, { project: String(project) })).toMatchObject(refused(400, 'reference_unknown'))
    expect((await search('x', SAM)).status).toBe(403)
  })
})

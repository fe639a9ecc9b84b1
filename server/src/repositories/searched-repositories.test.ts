import { beforeEach, describe, expect, test } from 'vitest'
import { VAULT_CANARY } from '../../test/fixtures/canaries.ts'
import type { Response } from '../../test/harness/client.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, RITA, TOM, VICTOR } from '../../test/fixtures/people.ts'
import {
  BUGS,
  HOARD,
  LOST_SEEDS,
  NURSERY,
  ORCHARD,
  ORCHARD_SVN,
  PEAT,
  QUARRY,
  SEEDS,
  VAULT,
} from '../../test/fixtures/seed-ids.ts'
import { seedRepositories } from '../../test/fixtures/seed-repositories.ts'

const { api, context } = await startWorld()
beforeEach(() => seedRepositories(context.db))

const search = (keywords: string, as?: TestPerson, more: object = {}, query = ''): Promise<Response> =>
  api.post(`/search${query}`, { ...(as && { as }), body: { keywords, ...more } })
const found = ({ json }: Response): [string, number][] =>
  json.map(({ type, per_type_id }: { type: string; per_type_id: number }) => [type, per_type_id])
const sizeOf = ({ headers }: Response) => Number(headers['x-pagination-size'])
const THE_SEEDS = [['repository', SEEDS]]

/** Inserts rows only; nothing is created on disk. */
async function insert(...repositories: readonly { name: string; created_on: string }[]): Promise<number[]> {
  const rows = await context.db
    .insertInto('repository')
    .values(
      repositories.map(({ name, created_on }) => ({
        project_id: ORCHARD,
        name,
        notifications: '[]',
        created_on: new Date(created_on),
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

describe('a repository', () => {
  test('has its name as title and links to its page', async () => {
    const { status, json, headers } = await search('seeds')
    expect([status, headers['x-pagination-size']]).toEqual([200, '1'])
    expect(json).toEqual([
      {
        xref: null,
        html_url: '/projects/orchard/repositories/seeds',
        title: 'seeds',
        color_name: null,
        type: 'repository',
        per_type_id: SEEDS,
        icon_name: 'fa-code-branch',
        project: expect.objectContaining({ id: ORCHARD, uri: `projects/${ORCHARD}`, shortname: 'orchard' }),
        quick_links: [],
        badges: [],
        cropped_content: null,
      },
    ])
  })

  test.each([
    ['in another case', 'SeEdS'],
    ['with other accents', 'sëéds'],
    ['by its beginning', 'see'],
    ['by its id', String(SEEDS)],
    ['by its id and a sign', `#${SEEDS}`],
  ])('is found %s', async (_, keywords) => {
    expect(found(await search(keywords))).toEqual(THE_SEEDS)
  })

  test.each([
    ['the middle of its name', 'eeds'],
    ['a word that it does not have', 'seeds pump'],
    ['a pattern of the database', 's%ds'],
    ['the id of no other', '19599'],
  ])('is not found by %s', async (_, keywords) => {
    expect(found(await search(keywords, ADA))).toEqual([])
  })

  test('matches by parts of its name', async () => {
    const [id] = await insert({ name: 'Pump-control_v2.old', created_on: '2026-02-01' })
    for (const keywords of ['pump', 'control', 'v2', 'old pump', 'pump-control_v2.old', '"control v2"'])
      expect(found(await search(keywords))).toEqual([['repository', id]])
    expect(found(await search('"pump v2"'))).toEqual([])
  })

  test('is found by viewers who may enter its project, and by no one else', async () => {
    for (const keywords of [VAULT_CANARY, String(HOARD)]) {
      for (const person of [VICTOR, ADA])
        expect(found(await search(keywords, person, { types: ['repository'] }))).toEqual([['repository', HOARD]])
      for (const person of [undefined, OLGA, TOM, MARA, RITA]) {
        const answer = await search(keywords, person)
        expect([answer.text, sizeOf(answer)]).toEqual(['[]', 0])
      }
    }
  })

  test('is not found in a suspended project', async () => {
    for (const keywords of ['peat', String(PEAT)])
      for (const person of [undefined, TOM, MARA]) expect(found(await search(keywords, person))).toEqual([])
  })

  test('is not found after it was deleted', async () => {
    for (const keywords of ['lost', 'lost-seeds', String(LOST_SEEDS)])
      for (const person of [TOM, MARA, ADA]) expect(found(await search(keywords, person))).toEqual([])
    expect((await api.delete(`/svn/${SEEDS}`, { as: MARA })).status).toBe(202)
    for (const keywords of ['seeds', String(SEEDS)]) expect(found(await search(keywords, MARA))).toEqual([])
  })

  test('is found only if the project uses the repositories service', async () => {
    const turn = (is_enabled: boolean) =>
      api.put(`/project_services/${ORCHARD_SVN}`, { as: MARA, body: { is_enabled } })
    expect((await turn(false)).status).toBe(200)
    for (const person of [TOM, ADA]) expect(found(await search('seeds', person))).toEqual([])
    await turn(true)
    expect(found(await search('seeds', TOM))).toEqual(THE_SEEDS)
  })
})

describe('a search', () => {
  test('can be restricted to repositories or to a project; filters for artifacts exclude repositories', async () => {
    expect(found(await search('seeds', TOM, { types: ['repository'] }))).toEqual(THE_SEEDS)
    expect(found(await search('seeds', TOM, { types: ['artifact', 'project'] }))).toEqual([])
    expect(found(await search('seeds', TOM, { project: ORCHARD }))).toEqual(THE_SEEDS)
    expect(found(await search('seeds', TOM, { project: NURSERY }))).toEqual([])
    expect(found(await search(String(SEEDS), ADA, { project: QUARRY }))).toEqual([])
    expect(found(await search('seeds', TOM, { tracker: BUGS }))).toEqual([])
    expect(found(await search('seeds', TOM, { is_open: true }))).toEqual([])
    expect(found(await search('seeds', TOM, { is_open: false }))).toEqual([])
  })

  test('returns repositories and projects in one order, page by page', async () => {
    const [older, newer] = await insert(
      { name: 'orchard-old', created_on: '2025-12-01' },
      { name: 'orchard-new', created_on: '2026-02-01' },
    )
    const all = [
      ['repository', newer],
      ['project', ORCHARD],
      ['repository', older],
    ]
    expect(found(await search('orchard'))).toEqual(all)
    const first = await search('orchard', undefined, {}, '?limit=2')
    expect([found(first), sizeOf(first)]).toEqual([all.slice(0, 2), 3])
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    expect(found(await api.post(next, { body: { keywords: 'orchard' } }))).toEqual(all.slice(2))
  })

  test('ranks the entry named by its id first', async () => {
    await insert({ name: `of-${SEEDS}`, created_on: '2026-02-01' })
    const [first, ...others] = found(await search(String(SEEDS)))
    expect([first, others.length]).toEqual([['repository', SEEDS], 1])
    expect(found(await search(String(VAULT), TOM))).toEqual([])
  })
})

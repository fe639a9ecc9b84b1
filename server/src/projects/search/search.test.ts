import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { VAULT_CANARY } from '../../../test/fixtures/canaries.ts'
import type { Response } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, RITA, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import {
  BUGS,
  LEDGER,
  LOST_BUGS,
  MARSH,
  MARSH_BUGS,
  NURSERY,
  ORCHARD,
  QUARRY,
  RUIN,
  SAFE,
  VAULT,
} from '../../../test/fixtures/seed-ids.ts'
import { masked, refused } from '../../../test/harness/refused.ts'

const { api, context } = await startWorld()

const search = (body: unknown, as?: TestPerson, query = ''): Promise<Response> =>
  api.post(`/search${query}`, { ...(as && { as }), body })
const found = ({ json }: Response): [string, number][] =>
  json.map(({ type, per_type_id }: { type: string; per_type_id: number }) => [type, per_type_id])
const sizeOf = ({ headers }: Response) => Number(headers['x-pagination-size'])

describe('POST /search', () => {
  test('shows the hits', async () => {
    const { status, json, headers } = await search({ keywords: 'orchard' })
    expect(status).toBe(200)
    expect(json).toEqual([
      {
        xref: null,
        html_url: '/projects/orchard',
        title: 'Orchard',
        color_name: null,
        type: 'project',
        per_type_id: ORCHARD,
        icon_name: 'fa-home',
        project: {
          id: ORCHARD,
          uri: `projects/${ORCHARD}`,
          label: '🌳 Orchard',
          label_without_icon: 'Orchard',
          shortname: 'orchard',
          status: 'active',
          access: 'public',
          is_template: false,
        },
        quick_links: [],
        badges: [],
        cropped_content: null,
      },
    ])
    expect(headers).toMatchObject({
      'x-pagination-limit': '50',
      'x-pagination-offset': '0',
      'x-pagination-size': '1',
      'x-pagination-limit-max': '50',
    })
  })

  test.each([
    ['in another case', 'oRCHARD'],
    ['with other accents', 'Örchärd'],
    ['by its beginning', 'orch'],
    ['by its id', String(ORCHARD)],
    ['by its id and a sign', `#${ORCHARD}`],
    ['by its label and its short name', '"Orchard" orchard'],
  ])('finds a project %s', async (_, keywords) => {
    expect(found(await search({ keywords }))).toEqual([['project', ORCHARD]])
  })

  test.each([
    ['the middle of its name', 'rchard'],
    ['a word that it does not have', 'orchard pump'],
    ['its description', 'Fruit logistics'],
    ['a phrase of label and short name', '"orchard orchard"'],
    ['the id of another one', '2999'],
  ])('does not find a project by %s', async (_, keywords) => {
    expect(found(await search({ keywords }))).toEqual([])
  })

  test.each([
    ['%%', 'like'],
    ['__', 'like'],
    ['.*', 'a regular expression'],
    ['(?:orchard', 'a broken regular expression'],
    ['[[:alnum:]]+', 'a class'],
    ['orchard\\', 'an escape'],
    ['***:orchard', 'a director'],
    ["orchard' or 1=1 --", 'SQL'],
  ])('treats %s literally, and not as %s', async (keywords) => {
    const answer = await search({ keywords }, ADA)
    expect([answer.status, answer.json]).toEqual([200, []])
  })

  test('finds only projects that the viewer may enter', async () => {
    const both = { keywords: 'canary' }
    expect(found(await search(both))).toEqual([])
    expect(found(await search(both, TOM))).toEqual([])
    expect(found(await search(both, RITA))).toEqual([['project', QUARRY]])
    expect(found(await search(both, VICTOR))).toEqual([
      ['project', VAULT],
      ['project', QUARRY],
    ])
    expect(found(await search({ keywords: String(VAULT) }, TOM))).toEqual([])
    expect(found(await search({ keywords: String(VAULT) }, ADA))).toEqual([['project', VAULT]])
  })

  test('counts only projects that the viewer may enter', async () => {
    expect(sizeOf(await search({ keywords: 'canary' }))).toBe(0)
    expect(sizeOf(await search({ keywords: 'canary' }, RITA))).toBe(1)
    expect(sizeOf(await search({ keywords: 'canary' }, ADA))).toBe(2)
  })

  test('omits suspended and deleted projects and the default template', async () => {
    for (const keywords of ['marsh', 'ruin', 'default template', '100', String(MARSH), String(RUIN)])
      expect(found(await search({ keywords }, ADA))).toEqual([])
    expect(found(await search({ keywords: 'nursery' }))).toEqual([['project', NURSERY]])
  })

  test('finds a new project with the next search', async () => {
    const project = { shortname: 'meadow', label: 'Grünland', is_public: true, template_id: 100 }
    expect((await search({ keywords: 'grunland' })).json).toEqual([])
    expect((await api.post('/projects', { as: MARA, body: project })).status).toBe(201)
    expect((await search({ keywords: 'grunland' })).json).toMatchObject([{ title: 'Grünland' }])
    expect((await search({ keywords: 'meadow' })).json).toMatchObject([{ title: 'Grünland' }])
  })

  test('can be limited to a kind, a project or properties of artifacts', async () => {
    const keywords = 'orch'
    expect(found(await search({ keywords, types: ['project'] }))).toHaveLength(1)
    expect(found(await search({ keywords, types: ['artifact', 'repository'] }))).toEqual([])
    expect(found(await search({ keywords, project: ORCHARD }))).toHaveLength(1)
    expect(found(await search({ keywords, project: NURSERY }))).toEqual([])
    expect(found(await search({ keywords, tracker: BUGS }))).toEqual([])
    expect(found(await search({ keywords, is_open: true }))).toEqual([])
    expect(found(await search({ keywords, is_open: false }))).toEqual([])
  })

  test('includes the searched kinds of other modules', async () => {
    const kinds = context.searchedKinds
    const shown = { xref: 'svn #core', html_url: '/core', title: 'core', color_name: null, icon_name: 'fa-code-branch' }
    const repositories = {
      type: 'repository' as const,
      find: async () => sql`select 7::bigint as id, ${ORCHARD}::bigint as project_id, 2 as rank, now() as changed_on`,
      show: async () => new Map([[7, { ...shown, cropped_content: null }]]),
    }
    const others = kinds.filter(({ type }) => type !== 'repository')
    Object.assign(context, { searchedKinds: [...others, repositories] })
    try {
      const answer = await search({ keywords: 'orchard' })
      expect(found(answer)).toEqual([
        ['project', ORCHARD],
        ['repository', 7],
      ])
      expect(answer.json[1]).toMatchObject({ ...shown, project: { id: ORCHARD } })
      expect(found(await search({ keywords: 'orchard', types: ['repository'] }))).toEqual([['repository', 7]])
    } finally {
      Object.assign(context, { searchedKinds: kinds })
    }
  })

  test('times out, and earlier if no index applies', async () => {
    const kinds = context.searchedKinds
    const slow = {
      type: 'repository' as const,
      find: async () =>
        sql`select 7::bigint as id, ${ORCHARD}::bigint as project_id, 2 as rank, now() as changed_on from pg_sleep(9)`,
      show: async () => new Map(),
    }
    Object.assign(context, { searchedKinds: [...kinds, slow] })
    try {
      const [long, short] = await Promise.all([search({ keywords: 'orchard' }), search({ keywords: 'or "a b"' })])
      expect(long).toMatchObject(refused(400, 'query_too_expensive'))
      expect(long.json.error.details).toBeUndefined()
      expect(short).toMatchObject(refused(400, 'query_too_expensive', { cause: 'short_text' }))
    } finally {
      Object.assign(context, { searchedKinds: kinds })
    }
    expect((await search({ keywords: 'orchard' })).status).toBe(200)
  })

  test.each([
    [{}, 'parameter_required', { path: 'keywords' }],
    [{ keywords: null }, 'parameter_invalid', { path: 'keywords' }],
    [{ keywords: ['pump'] }, 'parameter_invalid', { path: 'keywords' }],
    [{ keywords: '' }, 'parameter_out_of_range', { path: 'keywords', rule: 'min_length' }],
    [{ keywords: ' p ' }, 'parameter_out_of_range', { rule: 'min_length', allowed: { minimum: 2, maximum: 200 } }],
    [{ keywords: '""' }, 'parameter_out_of_range', { path: 'keywords', rule: 'min_length' }],
    [{ keywords: 'x'.repeat(201) }, 'parameter_out_of_range', { path: 'keywords', rule: 'max_length' }],
    [{ keywords: 'a\0b' }, 'parameter_invalid', { path: 'keywords' }],
    [{ keywords: 'pump', types: ['user'] }, 'parameter_not_allowed', { path: 'types[0]' }],
    [{ keywords: 'pump', types: [] }, 'parameter_out_of_range', { path: 'types' }],
    [{ keywords: 'pump', types: 'artifact' }, 'parameter_invalid', { path: 'types' }],
    [{ keywords: 'pump', project: 'orchard' }, 'parameter_invalid', { path: 'project' }],
    [{ keywords: 'pump', is_open: 'perhaps' }, 'parameter_invalid', { path: 'is_open' }],
  ])('refuses %o with %s', async (body, reason, details) => {
    expect(await search(body)).toMatchObject(refused(400, reason, details))
  })

  test.each([
    ['project', VAULT, TOM],
    ['project', VAULT, undefined],
    ['project', MARSH, TOM],
    ['project', RUIN, TOM],
    ['project', 2999, TOM],
    ['project', 0, TOM],
    ['project', -1, TOM],
    ['tracker', SAFE, TOM],
    ['tracker', LEDGER, OLGA],
    ['tracker', LEDGER, undefined],
    ['tracker', MARSH_BUGS, TOM],
    ['tracker', LOST_BUGS, MARA],
    ['tracker', 7999, TOM],
    ['tracker', -1, TOM],
  ])('reports unknown %s %s for %o', async (place, id, as) => {
    const answer = await search({ keywords: 'pump', [place]: id, types: ['project'] }, as)
    expect(answer).toMatchObject(refused(400, 'reference_unknown', { path: place }))
    expect(masked(answer)).toBe(masked(await search({ keywords: 'pump', [place]: 999_999, types: ['project'] }, as)))
  })

  test.each([
    ['limit=0', 'parameter_out_of_range'],
    ['limit=51', 'parameter_out_of_range'],
    ['offset=-1', 'parameter_out_of_range'],
    ['offset=100001', 'parameter_out_of_range'],
    ['limit=x', 'parameter_invalid'],
  ])('refuses ?%s', async (query, reason) => {
    expect(await search({ keywords: 'pump' }, TOM, `?${query}`)).toMatchObject(refused(400, reason))
  })

  test('requires a body', async () => {
    expect(await api.post('/search', {})).toMatchObject(refused(400, 'body_required'))
  })

  test('accepts and returns XML', async () => {
    const { status, text } = await api.post('/search', {
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: `<request><keywords>orch</keywords><types><item>project</item></types><project>${ORCHARD}</project></request>`,
    })
    expect(status).toBe(200)
    expect(text).toContain('<response><item><xref></xref><html_url>/projects/orchard</html_url><title>Orchard</title>')
  })

  test('supports pagination', async () => {
    const labels = Array.from({ length: 7 }, (_, at) => `Field ${at}`)
    await sql`insert into project (id, shortname, label, status, access, created_on)
      select 2100 + place, 'field-' || place, label, 'active', 'public', timestamptz '2026-01-01' - place / 3 * interval '1 day'
      from unnest(${labels}::text[]) with ordinality as field (label, place)`.execute(context.db)
    const all = found(await search({ keywords: 'field' }))
    expect(all.map(([, id]) => id)).toEqual([2101, 2102, 2103, 2104, 2105, 2106, 2107])
    const pages: [string, number][][] = []
    for (let next: string | undefined = '/search?limit=3'; next !== undefined; ) {
      const page: Response = await api.post(next, { body: { keywords: 'field' } })
      expect(sizeOf(page)).toBe(7)
      pages.push(found(page))
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1]
    }
    expect(pages).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6)])
    expect(found(await search({ keywords: 'field' }, undefined, '?limit=2&offset=4'))).toEqual(all.slice(4, 6))
    const beyond = await search({ keywords: 'field' }, undefined, '?offset=7')
    expect([found(beyond), sizeOf(beyond)]).toEqual([[], 7])
  })

  test('refuses a cursor of a search with other keywords', async () => {
    const { headers } = await search({ keywords: 'canary' }, ADA, '?limit=1')
    const next = /<([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1] ?? ''
    expect((await api.post(next, { as: ADA, body: { keywords: 'canary' } })).status).toBe(200)
    expect(await api.post(next, { as: ADA, body: { keywords: 'orchard' } })).toMatchObject(
      refused(400, 'parameter_conflict', { cause: 'cursor_of_another_query' }),
    )
  })

  test('does not reveal a private project', async () => {
    const answers = await Promise.all(
      ['vault', VAULT_CANARY, String(VAULT), '"Vault canary-vault-7d1f"'].map((keywords) => search({ keywords }, OLGA)),
    )
    for (const answer of answers) expect([answer.text, sizeOf(answer)]).toEqual(['[]', 0])
  })
})

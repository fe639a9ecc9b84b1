import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { MARA, OLGA, RITA, TOM, UMA } from '../../test/fixtures/people.ts'
import { MARSH, ORCHARD, VAULT } from '../../test/fixtures/seed-ids.ts'
import { CRATES, HARVESTS, insertSampleTrackers } from '../../test/fixtures/sample-tracker.ts'

const { api, context } = await startWorld()
const path = `/projects/${ORCHARD}/trackers`
const query = (value: object) => `query=${encodeURIComponent(JSON.stringify(value))}`
const labels = (json: { label: string }[]) => json.map(({ label }) => label)
beforeEach(() => insertSampleTrackers(context.db))

describe('GET /projects/{id}/trackers', () => {
  test('lists visible trackers by label, with exact totals', async () => {
    const own = await api.get(path, { as: UMA })
    const others = await api.get(path, { as: TOM })

    expect(labels(own.json)).toEqual(expect.arrayContaining(['Crates', 'Harvests']))
    expect(labels(own.json)).toEqual(labels(own.json).toSorted((one, other) => one.localeCompare(other)))
    expect(own.headers['x-pagination-size']).toBe(String(own.json.length))
    expect(labels(others.json)).not.toContain('Harvests')
    expect(others.headers['x-pagination-size']).toBe(String(others.json.length))
  })

  test('shows each one as the single resource does', async () => {
    const { json } = await api.get(path, { as: UMA })
    const listed = json.find(({ id }: { id: number }) => id === CRATES)

    expect(listed).toEqual((await api.get(`/trackers/${CRATES}`, { as: UMA })).json)
  })

  test('supports pagination', async () => {
    const seen: string[] = []
    const all = await api.get(`${path}?limit=50&representation=minimal`, { as: UMA })
    for (let next = `${path}?limit=1&representation=minimal`; next !== ''; ) {
      const { json, headers } = await api.get(next, { as: UMA })
      seen.push(...labels(json))
      next = /<([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1] ?? ''
    }

    expect(seen).toEqual(labels(all.json))
    expect((await api.get(`${path}?limit=0`, { as: UMA })).json).toEqual([])
    expect((await api.get(`${path}?limit=1&offset=1&representation=minimal`, { as: UMA })).json[0].label).toBe(seen[1])
  })

  test('has a minimal form', async () => {
    const { json } = await api.get(`${path}?representation=minimal`, { as: UMA })

    expect(json.find(({ id }: { id: number }) => id === CRATES)).toEqual({
      id: CRATES,
      uri: `trackers/${CRATES}`,
      label: 'Crates',
      color_name: 'fiesta-red',
      project: { id: ORCHARD, uri: `projects/${ORCHARD}`, label: 'Orchard', icon: '🌳' },
      cannot_create_reasons: [],
      in_new_dropdown: true,
    })
  })

  test.each([
    'with_creation_semantic_check[]=title',
    'with_creation_semantic_check[0]=title',
    'with_creation_semantic_check=title',
  ])('explains by %s why a title alone is not enough', async (check) => {
    const { json } = await api.get(`${path}?representation=minimal&${check}`, { as: UMA })
    const reasons = new Map(
      json.map((each: { id: number; cannot_create_reasons: string[] }) => [each.id, each.cannot_create_reasons]),
    )

    expect(reasons.get(CRATES)).toEqual([])
    expect(reasons.get(HARVESTS)).toEqual(['The tracker has no title.'])
  })

  test('names other required fields, and reports a title that cannot be submitted', async () => {
    const row = await context.db
      .selectFrom('tracker')
      .select('structure')
      .where('id', '=', CRATES)
      .executeTakeFirstOrThrow()
    const elements = row.structure.elements.map((element) =>
      element.name === 'summary'
        ? { ...element, rights: { read: [1], submit: [4], update: [4] } }
        : { ...element, is_required: ['points', 'budget'].includes(element.name) },
    )
    const structure = JSON.stringify({ ...row.structure, elements })
    await context.db.updateTable('tracker').set({ structure, version: 2 }).where('id', '=', CRATES).execute()

    const { json } = await api.get(`${path}?representation=minimal&with_creation_semantic_check[]=title`, { as: TOM })

    expect(json.find(({ id }: { id: number }) => id === CRATES).cannot_create_reasons).toEqual([
      'You may not give a title.',
      'Points is required too.',
      'Another field is required too.',
    ])
  })

  test.each([
    { who: TOM, has: [] },
    { who: UMA, has: [CRATES] },
    { who: MARA, has: [CRATES, HARVESTS] },
  ])('lists the trackers that $who.login administers', async ({ who, has }) => {
    const { json } = await api.get(`${path}?${query({ is_tracker_admin: true })}&representation=minimal`, { as: who })
    const ids = json.map(({ id }: { id: number }) => id)

    expect(ids.filter((id: number) => id === CRATES || id === HARVESTS)).toEqual(has)
  })

  test.each([
    { asked: 'representation=tiny', reason: 'parameter_not_allowed', details: { path: 'representation' } },
    {
      asked: 'with_creation_semantic_check[]=title',
      reason: 'parameter_conflict',
      details: { cause: 'semantic_check_needs_minimal' },
    },
    {
      asked: 'representation=minimal&with_creation_semantic_check[]=status',
      reason: 'parameter_not_allowed',
      details: { path: 'with_creation_semantic_check[0]' },
    },
    { asked: 'query=abc', reason: 'query_malformed', details: {} },
    { asked: query({ label: 'Crates' }), reason: 'query_unknown_key', details: { allowed: ['is_tracker_admin'] } },
    { asked: query({ is_tracker_admin: false }), reason: 'parameter_not_allowed', details: {} },
    { asked: 'limit=51', reason: 'parameter_out_of_range', details: { path: 'limit' } },
    { asked: 'limit=-1', reason: 'parameter_out_of_range', details: { path: 'limit' } },
  ])('refuses $asked with $reason', async ({ asked, reason, details }) => {
    const { status, json } = await api.get(`${path}?${asked}`, { as: UMA })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, details })
  })

  test.each(['full', 'minimal'])('returns only the requested members of the %s form', async (form) => {
    const { json } = await api.get(`${path}?fields=label,color_name&representation=${form}`, { as: UMA })

    expect(json.find(({ id }: { id: number }) => id === CRATES)).toEqual({
      id: CRATES,
      uri: `trackers/${CRATES}`,
      label: 'Crates',
      color_name: 'fiesta-red',
    })
  })

  test('treats an empty query as none', async () => {
    expect((await api.get(`${path}?query=&representation=`, { as: UMA })).status).toBe(200)
  })

  test.each([
    { who: undefined, id: VAULT, status: 401, reason: 'authentication_required' },
    { who: OLGA, id: VAULT, status: 404, reason: 'not_found' },
    { who: RITA, id: ORCHARD, status: 404, reason: 'not_found' },
    { who: TOM, id: MARSH, status: 404, reason: 'project_suspended' },
  ])('refuses $who.login at $id with $reason', async ({ who, id, status, reason }) => {
    const answer = await api.get(`/projects/${id}/trackers`, who && { as: who })

    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('supports XML', async () => {
    const { text } = await api.get(`${path}?representation=minimal`, {
      as: UMA,
      headers: { accept: 'application/xml' },
    })

    expect(text).toContain('<label>Crates</label>')
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { COMMENT_CANARY, FIELD_CANARIES, HIDDEN_CANARY, inBase64, PRIVATE_CANARY } from '../fixtures/canaries.ts'
import { Lines } from '../harness/client.ts'
import { startWorld } from '../harness/start-world.ts'
import { ADA, MARA, type TestPerson } from '../fixtures/people.ts'
import { ORCHARD, TOMS_REPORT } from '../fixtures/seed-ids.ts'
import { sampleTenth, sampleItems } from '../harness/sampling.ts'
import { makeVisibilityWorld, type VisibilityWorld } from '../fixtures/visibility-world.ts'
import { PRINCIPALS } from '../fixtures/subjects.ts'

/**
 * Sends every read of artifacts as every principal, as JSON, and in part in every other format. The client searches
 * each response for secrets that its reader may not have; this test only shows that there was something to find.
 */
const { api } = await startWorld({ seedOnce: true })
let world: VisibilityWorld
const reports: number[] = [TOMS_REPORT]
const files: number[] = []
beforeAll(async () => {
  world = await makeVisibilityWorld(api)
  const { json } = await api.get(`/trackers/${world.crates.tracker.id}/tracker_reports`, { as: MARA })
  reports.push(...json.map(({ id }: { id: number }) => id))
  const { json: first } = await api.get(`/artifacts/${world.crates.ids.full}?version=1`, { as: ADA })
  files.push(
    ...JSON.stringify(first)
      .matchAll(/"artifact_files\/(\d+)"/g)
      .map(([, id]) => Number(id)),
  )
})

interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const receivedWords = new Set<string>()
const WORDS = [
  ...Object.values(FIELD_CANARIES).flatMap(({ value, label }) => [value, label, inBase64(value)]),
  COMMENT_CANARY,
  HIDDEN_CANARY,
  PRIVATE_CANARY,
]
const FORMATS = ['application/json', 'application/xml', 'application/x-ndjson', 'text/csv']

/** Resolves with the highest status, to detect 5xx responses. */
async function askAll(
  requests: readonly Request[],
  as: TestPerson | undefined,
  formats: readonly string[],
): Promise<number> {
  let highest = 0
  for (const { method, path, body } of requests)
    for (const accept of formats) {
      const options = { ...(as && { as }), headers: { accept }, ...(body !== undefined && { body }) }
      const { status, text } = await api.request(method, path, options)
      highest = Math.max(highest, status)
      for (const word of WORDS) if (text.includes(word)) receivedWords.add(word)
    }
  return highest
}

function reads(): Request[] {
  const trackers = [world.crates.tracker.id, world.parcels.tracker.id, world.whispers.tracker.id, world.vault.tracker]
  const artifacts = [
    ...Object.values(world.crates.ids),
    ...Object.values(world.parcels.ids),
    world.whispers.id,
    world.vault.id,
  ]
  const { crates } = world
  const query = encodeURIComponent(JSON.stringify({ id: artifacts }))
  return [
    `/projects/${ORCHARD}/trackers?representation=full&limit=50`,
    `/projects/${ORCHARD}/trash?limit=50`,
    `/trash?limit=50`,
    `/archives?limit=50`,
    `/projects/${ORCHARD}/heartbeats`,
    '/events?limit=1000',
    `/artifacts?query=${query}&values_format=all&tracker_structure_format=complete&limit=50`,
    ...trackers.flatMap((id) => [
      `/trackers/${id}`,
      `/trackers/${id}/definition`,
      `/trackers/${id}/artifacts?values=all`,
      `/trackers/${id}/artifacts.csv`,
      `/trackers/${id}/artifacts.ndjson`,
      `/trackers/${id}/used_artifact_links`,
      `/trackers/${id}/parent_artifacts`,
      `/trackers/${id}/trash`,
    ]),
    ...trackers.map((id) => `/trackers/${id}/tracker_reports`),
    ...files.flatMap((id) => [`/artifact_files/${id}`, `/files/${id}/x`, `/files/${id}/preview`]),
    ...Object.keys(FIELD_CANARIES).map(
      (right) =>
        `/trackers/${crates.tracker.id}/artifacts?values=all&expert_query=${encodeURIComponent(`files_for_${right} = "canary"`)}`,
    ),
    ...reports.flatMap((id) => [
      `/tracker_reports/${id}?representation=full`,
      `/tracker_reports/${id}/artifacts?values=all`,
      `/tracker_reports/${id}/artifacts?values=all&output_format=flat`,
      `/tracker_reports/${id}/artifacts?values=from_table_renderer`,
      `/tracker_reports/${id}/artifacts.csv?values=from_table_renderer`,
    ]),
    ...artifacts.flatMap((id) => [
      `/artifacts/${id}`,
      `/artifacts/${id}/changesets?diff=true&limit=50`,
      `/artifacts/${id}/links`,
      `/artifacts/${id}/linked_artifacts?direction=forward`,
      `/artifacts/${id}/linked_artifacts?direction=reverse`,
    ]),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((version) => `/artifacts/${crates.ids.full}?version=${version}`),
    `/artifacts/${crates.ids.full}?values_format=all&by_field_types=all&tracker_structure_format=complete`,
    `/artifacts/${crates.ids.full}?tracker_structure_format=state`,
    `/artifacts/${crates.ids.full}/linked_artifacts?direction=forward&nature=_is_child`,
    `/artifacts/${crates.ids.full}/linked_artifacts?direction=reverse&nature=_is_child`,
    `/artifacts/${crates.ids.full}/changesets?fields=comments&limit=50`,
  ].map((path) => ({ method: 'GET', path }))
}

/** Searches across all projects. */
const SEARCHES: readonly Request[] = [
  { method: 'POST', path: '/search', body: { keywords: 'canary' } },
  { method: 'GET', path: '/search?query=canary&limit=20' },
  { method: 'GET', path: '/search?query=ca&limit=20' },
  { method: 'GET', path: '/search?query=canary&only=files' },
  { method: 'GET', path: '/search?query=canary&only=commits' },
  { method: 'GET', path: '/search/artifacts?query=canary&limit=50' },
  { method: 'GET', path: '/search/artifacts?query=ca&limit=50' },
]

/** Dry runs: the report of changes and recipients is searched too. */
function writes(): Request[] {
  const { crates, parcels, whispers, vault } = world
  const { full, deleted, hiddenChild } = crates.ids
  const hidden = ['for_users', 'for_members', 'for_leads', 'for_admins', 'list_for_leads', 'list_for_admins', 'tags']
  const links = { links: [{ id: whispers.id, type: '' }] }
  const values = (name: string) => ({ values_by_field: { [name]: { value: 'mine' } } })
  const tracker = { id: crates.tracker.id }
  const requests: Request[] = [
    { method: 'PUT', path: `/artifacts/${full}`, body: { values_by_field: { summary: { value: 'mine' } } } },
    { method: 'PUT', path: `/artifacts/${full}`, body: { comment: { body: `art #${whispers.id}`, format: 'html' } } },
    { method: 'PUT', path: `/artifacts/${full}`, body: { values_by_field: { links } } },
    { method: 'PUT', path: `/artifacts/${full}/links`, body: { all_links: [] } },
    { method: 'POST', path: '/artifacts', body: { tracker, values_by_field: { summary: { value: 'mine' } } } },
    { method: 'POST', path: '/artifacts', body: { tracker, from_artifact: { id: full } } },
    { method: 'POST', path: '/artifacts', body: { tracker, from_artifact: { id: hiddenChild } } },
    { method: 'POST', path: `/artifacts/${full}/copy`, body: { links: 'forward', comments: true } },
    { method: 'POST', path: `/artifacts/${full}/copy`, body: { tracker: { id: parcels.tracker.id } } },
    { method: 'PATCH', path: `/artifacts/${full}`, body: { move: { tracker_id: parcels.tracker.id } } },
    { method: 'PATCH', path: `/artifacts/${full}`, body: { move: { tracker_id: vault.tracker } } },
    { method: 'DELETE', path: `/artifacts/${full}` },
    ...reports.flatMap((id) => [
      { method: 'PUT', path: `/tracker_reports/${id}`, body: { label: 'mine' } },
      { method: 'DELETE', path: `/tracker_reports/${id}` },
    ]),
    ...hidden.map((field) => ({
      method: 'POST',
      path: `/trackers/${crates.tracker.id}/tracker_reports`,
      body: { label: 'mine', criteria: [{ field, value: 'x' }] },
    })),
    { method: 'POST', path: `/artifacts/${deleted}/restore` },
    { method: 'POST', path: `/artifacts/${parcels.ids.deleted}/restore` },
    ...hidden.flatMap((name) => [
      { method: 'PUT', path: `/artifacts/${full}`, body: values(name) },
      { method: 'POST', path: '/artifacts', body: { tracker, ...values(name) } },
    ]),
    ...[crates, parcels].map((each) => ({
      method: 'POST',
      path: `/trackers/${each.tracker.id}/artifacts/bulk`,
      body: new Lines([
        { op: 'create', values_by_field: { summary: { value: 'mine' } } },
        ...Object.values(each.ids).map((id) => ({ op: 'update', id, values_by_field: { summary: { value: 'mine' } } })),
        ...hidden.map((name) => ({ op: 'update', id: full, ...values(name) })),
      ]),
    })),
  ]
  return requests.map((request) => ({ ...request, path: `${request.path}?dry_run=true` }))
}

describe.each(Object.entries(PRINCIPALS))('%s', (_, as) => {
  test.each(FORMATS)('Z04 reads nothing hidden as %s', async (format) => {
    const all = [...reads(), ...SEARCHES]
    const asked = format === FORMATS[0] ? all : sampleItems(all, `${as?.login} ${format}`, Math.ceil(all.length / 12))
    expect(await askAll(asked, as, [format])).toBeLessThan(500)
  })

  test('Z04/rehearsed learns nothing hidden from dry runs', async () => {
    expect(await askAll(sampleTenth(writes(), as?.login ?? ''), as, FORMATS.slice(0, 2))).toBeLessThan(500)
  })
})

test('there were files to find', () => {
  expect(files).toHaveLength(5)
})

test('each secret was shown to a permitted reader', () => {
  expect(WORDS.filter((word) => !receivedWords.has(word))).toEqual([])
})

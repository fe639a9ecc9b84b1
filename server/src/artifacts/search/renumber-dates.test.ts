import { expect, test } from 'vitest'
import { auditArtifacts } from '../../../test/harness/auditor.ts'
import { makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA } from '../../../test/fixtures/people.ts'

const { api, context } = await startWorld()

const definition = (display_time: 0 | 1) => ({
  format: 'waypost-tracker/1',
  label: 'Harvests',
  item_name: 'harvest',
  permissions: { full: ['@anonymous'] },
  elements: [
    { name: 'summary', type: 'string', label: 'Summary' },
    { name: 'due', type: 'date', label: 'Due', properties: { display_time } },
  ],
  semantics: { title: 'summary' },
})

test('a date that gains or loses its time is found and sorted as before', async () => {
  const tracker = await makeTestTracker(api, definition(0))
  const days = ['2026-09-03', '2026-09-01', '2026-09-02']
  for (const day of days) await makeTestArtifact(api, tracker, { summary: day, due: day })
  await makeTestArtifact(api, tracker, { summary: 'some day' })
  const found = async (query: string) => {
    const asked = new URLSearchParams({ expert_query: query }).toString()
    const { json, text } = await api.get(`/trackers/${tracker.id}/artifacts?${asked}`, { as: MARA })
    expect(Array.isArray(json), text).toBe(true)
    return json.map(({ title }: { title: string }) => title)
  }
  const become = async (display_time: 0 | 1) => {
    const path = `/trackers/${tracker.id}/definition`
    expect((await api.put(path, { as: MARA, body: definition(display_time) })).status).toBe(200)
  }
  const later = `due > "2026-09-01" ORDER BY due ASC`
  expect(await found(later)).toEqual(['2026-09-02', '2026-09-03'])

  for (const display_time of [1, 0] as const) {
    await become(display_time)
    expect(await found(later)).toEqual(['2026-09-02', '2026-09-03'])
    expect(await found('due = ""')).toEqual(['some day'])
    expect(await auditArtifacts(context, context.db)).toEqual([])
  }
  const { json } = await api.get(
    `/trackers/${tracker.id}/artifacts?query=${encodeURIComponent('{"summary":"2026-09-03"}')}`,
    { as: MARA },
  )
  await become(1)
  await api.put(`/artifacts/${json[0].id}`, { as: MARA, body: { values_by_field: { due: '2026-09-01T10:00:00Z' } } })
  expect(await found('due > "2026-09-02" ORDER BY due ASC')).toEqual([])
  expect(await auditArtifacts(context, context.db)).toEqual([])
})

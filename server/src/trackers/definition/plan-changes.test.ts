import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import {
  definitionsOf,
  elementNamed,
  statusBind,
  storeValues,
  removeElements,
} from '../../../test/fixtures/definitions.ts'
import { masked } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { BUG, BUG_STATUS, BUGS } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()
const { get, put, changed } = definitionsOf(api)

describe('PUT /trackers/{id}/definition?dry_run=true', () => {
  test('returns the plan and writes nothing', async () => {
    await storeValues(context, { [BUG.points]: 5, [BUG.status]: [BUG_STATUS.open] })
    const before = await get()
    const document = await changed((one) => {
      one.label = 'Beetles'
      removeElements(one, 'points')
      elementNamed(one, 'due').required = true
      statusBind(one).values = [{ key: 'open', label: 'Opened', color: 'fiesta-red' }, { label: 'New' }]
      one.elements.push({ name: 'weather', type: 'string', label: 'Weather' })
      one.elements.reverse()
      one.reports = [{ label: 'All' }]
    })
    const { status, headers, json } = await put(document, 'dry_run=true')

    expect(status).toBe(200)
    expect(headers.etag).toBeUndefined()
    expect(json).toMatchObject({ errors: [], warnings: [] })
    const seen = json.changes.map(
      ({ op, path: place, impact }: { op: string; path: string; impact: { artifacts: number } }) => [
        op,
        place,
        impact.artifacts,
      ],
    )
    expect(seen).toEqual(
      expect.arrayContaining([
        ['change', '/label', 0],
        ['change', '/reports', 0],
        ['add', '/elements/0', 0],
        ['unuse', '/unused_elements/1', 1],
        ['change', '/elements/5/content/2/bind/values/0', 1],
        ['add', '/elements/5/content/2/bind/values/1', 0],
        ['hide', '/elements/5/content/2/bind/values/2', 0],
        ['change', '/elements/5/content/5', 0],
        ['change', '/elements/5', 0],
      ]),
    )
    expect(json.changes).toContainEqual({
      op: 'change',
      path: '/label',
      from: 'Bugs',
      to: 'Beetles',
      impact: { artifacts: 0, reports: 0 },
    })
    expect(await get()).toEqual(before)
    expect(await audited(context, 'tracker.definition')).toEqual([])
  })

  test('counts an artifact once if a field and its values change together', async () => {
    await storeValues(context, { [BUG.status]: [BUG_STATUS.open] })
    const document = await changed((one) => {
      elementNamed(one, 'status').label = 'State'
      statusBind(one).values = [{ key: 'open', label: 'Opened', color: 'fiesta-red' }, { label: 'New' }]
    })
    const { json } = await put(document, 'dry_run=true')

    expect(json.changes[0]).toMatchObject({ op: 'change', to: { label: 'State' }, impact: { artifacts: 1 } })
  })

  test('counts the reports that use the field', async () => {
    await put(
      await changed(
        (one) => void (one.reports = [{ label: 'Mine', renderers: [{ type: 'table', columns: ['points', 'due'] }] }]),
      ),
    )
    const document = await changed((one) => {
      removeElements(one, 'points')
      one.reports = []
    })
    const { json } = await put(document, 'dry_run=true')

    expect(json.changes).toMatchObject([
      { op: 'change', path: '/reports' },
      { op: 'unuse', impact: { artifacts: 0, reports: 1 } },
    ])
  })

  test('contains no changes for an unchanged document', async () => {
    const { json } = await put(await get(), 'dry_run=true')
    expect(json).toEqual({ changes: [], errors: [], warnings: [] })
  })

  test('is refused as the write would be, with all problems', async () => {
    const document = { ...(await get()), item_name: 'a b', mood: 1 }
    const [planned, written] = [await put(document, 'dry_run=true'), await put(document)]

    expect(planned.status).toBe(400)
    expect(masked(planned)).toBe(masked(written))
    expect(planned.json.error.details.all).toMatchObject([
      { path: '/mood', reason: 'member_unknown' },
      { path: '/item_name', reason: 'name_invalid', message: expect.any(String) },
    ])
  })

  test('supports XML', async () => {
    const { text } = await api.put(`/trackers/${BUGS}/definition.xml?dry_run=true`, {
      as: MARA,
      body: { ...(await get()), label: 'Beetles' },
    })
    expect(text).toContain('<changes><item><op>change</op><path>/label</path>')
  })
})

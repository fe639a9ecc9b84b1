import { expect, test } from 'vitest'
import { makeTestTracker } from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { MARA, OLGA, TOM } from '../../test/fixtures/people.ts'
import { BUG, BUGS, ORCHARD } from '../../test/fixtures/seed-ids.ts'

const { api } = await startWorld()

const activity = async (as?: typeof MARA) => (await api.get(`/projects/${ORCHARD}/heartbeats`, as && { as })).json
const make = async (tracker: number, values: object[]) => {
  const { status, json, text } = await api.post('/artifacts', { as: MARA, body: { tracker: { id: tracker }, values } })
  if (status !== 201) throw new Error(text)
  return json.id
}

test('the activity of a project lists each artifact once, with a link, newest first', async () => {
  const first = await make(BUGS, [{ field_id: BUG.summary, value: 'Pump <leaks> & more' }])
  const second = await make(BUGS, [{ field_id: BUG.summary, value: 'Ladders' }])
  await api.put(`/artifacts/${first}`, {
    as: TOM,
    body: { values: [{ field_id: BUG.summary, value: 'Pump <drips>' }] },
  })
  const { entries } = await activity(MARA)
  const [latest, before] = entries.filter(({ icon_name }: { icon_name: string }) => icon_name === 'fa-list-ol')
  expect(latest).toMatchObject({
    html_message: `<a href="/artifacts/${first}">bug #${first}</a> Pump &lt;drips&gt;`,
    user: { id: TOM.id },
  })
  expect(before).toMatchObject({ html_message: `<a href="/artifacts/${second}">bug #${second}</a> Ladders` })
})

test('a viewer who may not read an artifact only sees that an entry is hidden', async () => {
  const wages = await makeTestTracker(api, {
    format: 'waypost-tracker/1',
    label: 'Wages',
    item_name: 'wage',
    permissions: { full: ['leads'] },
    elements: [{ name: 'note', type: 'string', label: 'Note' }],
  })
  const id = await make(wages.id, [{ field_id: wages.field('note'), value: 'Paid' }])
  const [hers, others] = [await activity(MARA), await activity(OLGA)]
  expect(JSON.stringify(hers)).toContain(`/artifacts/${id}`)
  expect(JSON.stringify(others)).not.toContain(`/artifacts/${id}`)
  expect(others.are_there_activities_user_cannot_see).toBe(true)
})

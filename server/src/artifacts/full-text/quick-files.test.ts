import { beforeAll, describe, expect, test } from 'vitest'
import { makeRepairs, type Repairs, uploadInChunks } from '../../../test/fixtures/attachments.ts'
import { GUS, MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { NURSERY, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api } = await startWorld({ seedOnce: true })
let repairs: Repairs
let id: number
let sketch: number
beforeAll(async () => {
  repairs = await makeRepairs(api, MARA)
  sketch = await uploadInChunks(api, MARA, { name: 'Gearbox-sketch.pdf' })
  const secret = await uploadInChunks(api, MARA, { name: 'gearbox-budget.ods' })
  id = await repairs.make({ summary: 'Northern winch', attachment: [sketch], secrets: [secret] })
})

const search = async (query: string, as: TestPerson | undefined = OLGA, more: Record<string, string> = {}) =>
  (await api.get(`/search?${new URLSearchParams({ query, only: 'files', ...more }).toString()}`, as && { as })).json
const names = async (query: string, as?: TestPerson, more?: Record<string, string>): Promise<string[]> =>
  (await search(query, as, more)).files.map(({ name }: { name: string }) => name)

describe('an attachment', () => {
  test('is found by beginnings of words of its name, with its artifact', async () => {
    expect((await search('gearb sket')).files).toMatchObject([
      {
        id: sketch,
        uri: `artifact_files/${sketch}`,
        html_url: `/files/${sketch}/Gearbox-sketch.pdf`,
        name: 'Gearbox-sketch.pdf',
        artifact: { id, title: 'Northern winch', html_url: `/artifacts/${id}` },
      },
    ])
    expect(await names('earbox')).toEqual([])
    expect(await names('gearb sket', OLGA, { project: String(ORCHARD) })).toHaveLength(1)
    expect(await names('gearb sket', OLGA, { project: String(NURSERY) })).toEqual([])
  })

  test('is not searched unless it is asked for', async () => {
    const { json } = await api.get('/search?query=gearbox', { as: OLGA })
    expect([json.files, json.commits]).toEqual([[], []])
  })

  test('is found by those who may read its field and its artifact, the newest first', async () => {
    expect(await names('gearbox', MARA)).toEqual(['gearbox-budget.ods', 'Gearbox-sketch.pdf'])
    for (const person of [OLGA, GUS, TOM]) expect(await names('gearbox', person)).toEqual(['Gearbox-sketch.pdf'])
    const only = { value: { granted_groups: ['project_admins'], is_used_by_default: true } }
    const file = await uploadInChunks(api, MARA, { name: 'quadrant.txt' })
    await repairs.make({ summary: 'Few', attachment: [file], seen_by: only })
    expect([await names('quadrant', MARA), await names('quadrant', TOM)]).toEqual([['quadrant.txt'], []])
  })

  test('is not found after it was detached', async () => {
    const file = await uploadInChunks(api, MARA, { name: 'capstan.png' })
    const crane = await repairs.make({ summary: 'Crane', attachment: [file] })
    expect(await names('capstan')).toEqual(['capstan.png'])
    expect((await repairs.put(crane, MARA, { value: [] })).status).toBe(200)
    expect(await names('capstan')).toEqual([])
  })
})

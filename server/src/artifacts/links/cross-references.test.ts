import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ROOTS, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'

const { api } = await startWorld({ seedOnce: true })
let trees: MadeTracker
let roots: MadeTracker
beforeAll(async () => {
  trees = await makeTestTracker(api, TREES)
  roots = await makeTestTracker(api, ROOTS)
})

const write = (details: string, more: object = {}) =>
  makeTestArtifact(api, trees, { summary: 'Tree', details: { value: details, format: 'text' }, ...more })
const update = (id: number, body: object, as = MARA) => api.put(`/artifacts/${id}`, { as, body })
const comment = (id: number, body: string, more: object = {}) =>
  update(id, { values: [], comment: { body, format: 'text', ...more } })

/** The cross references of an artifact, formatted as `out art #12`. */
async function references(id: number, as: TestPerson | undefined = TOM): Promise<string[]> {
  const { json } = await api.get(`/artifacts/${id}`, { as })
  const values: { type: string; value: { ref: string; direction: string }[] }[] = json.values
  const found = values.find(({ type }) => type === 'cross')?.value ?? []
  return found.map(({ ref, direction }) => `${direction} ${ref}`)
}

describe('references in the texts of artifacts', () => {
  test('are shown at both ends, with their targets', async () => {
    const target = await write('')
    const id = await write(`see Art #${target}, and tree #orchard:${target}.`)

    expect(await references(id)).toEqual([`out art #${target}`, `out tree #orchard:${target}`])
    expect(await references(target)).toEqual([`in art #${id}`])
    const { json } = await api.get(`/artifacts/${id}`)
    const url = `https://waypost.example/goto?key=art&val=${target}&group_id=${ORCHARD}`
    expect(json.values.at(-1).value[0]).toEqual({ ref: `art #${target}`, url, direction: 'out' })
  })

  test('in both directions are merged into one, after those in one direction', async () => {
    const [one, other, third] = [await write(''), await write(''), await write('')]
    await update(one, { values_by_field: { details: `art #${other} and art #${third}` } })
    await update(other, { values_by_field: { details: `art #${one}` } })

    expect(await references(one)).toEqual([`out art #${third}`, `both art #${other}`])
  })

  test('are found in comments, too', async () => {
    const target = await write('')
    const id = await write('')
    await comment(id, `like tree #${target}`)

    expect(await references(id)).toEqual([`out tree #${target}`])
    expect(await references(target)).toEqual([`in art #${id}`])
  })

  test('disappear with their text', async () => {
    const [one, other] = [await write(''), await write('')]
    const id = await write(`art #${one}`)
    await update(id, { values_by_field: { details: `art #${other}` } })

    expect(await references(id)).toEqual([`out art #${other}`])
    expect(await references(one)).toEqual([])
  })

  test('to unknown targets are ignored', async () => {
    const target = await write('')
    const id = await write(`unheard #${target}, art #nowhere:${target}, art#${target}, art #999999`)

    expect(await references(id)).toEqual([])
    expect(await references(target)).toEqual([])
  })

  test('to another project must exist in that project', async () => {
    const target = await write('')
    expect(await references(await write(`art #vault:${target}`), MARA)).toEqual([])
  })
})

describe('a reference that the caller may not read is hidden', () => {
  test('in a field', async () => {
    const target = await write('')
    const id = await write('', { secret: `art #${target}` })

    expect(await references(id)).toEqual([])
    expect(await references(target)).toEqual([])
    expect(await references(target, MARA)).toEqual([`in art #${id}`])
  })

  test('in a restricted comment', async () => {
    const target = await write('')
    const id = await write('')
    await comment(id, `art #${target}`, { ugroups: [String(LEADS)] })

    expect(await references(target)).toEqual([])
    expect(await references(id)).toEqual([])
    expect(await references(target, UMA)).toEqual([`in art #${id}`])
  })

  test('at an invisible other end', async () => {
    const root = await makeTestArtifact(api, roots, { summary: 'Root' })
    const id = await write(`art #${root}`)
    await update(root, { values_by_field: { details: `art #${id}` } })

    expect(await references(id)).toEqual([])
    expect(await references(id, MARA)).toEqual([`both art #${root}`])
  })

  test('in the name of an invisible tracker', async () => {
    const target = await write('')
    const id = await write(`root #${target} or tree #${target}`)
    const html = async (as: TestPerson) => (await api.get(`/artifacts/${id}?values_format=by_field`, { as })).json

    expect(await references(id)).toEqual([`out tree #${target}`])
    expect(await references(id, MARA)).toEqual([`out root #${target}`, `out tree #${target}`])
    expect((await html(TOM)).values_by_field.details.post_processed_value).not.toContain('key=root')
    expect((await html(MARA)).values_by_field.details.post_processed_value).toContain('key=root')
  })

  test('once its artifact is deleted', async () => {
    const target = await write('')
    const id = await write(`art #${target}`)
    await api.delete(`/artifacts/${id}`, { as: MARA })
    expect(await references(target)).toEqual([])

    const other = await write(`art #${target}`)
    await api.delete(`/artifacts/${target}`, { as: MARA })
    expect(await references(other)).toEqual([])
  })
})

describe('the names of trackers', () => {
  const extract = (text: string, as: TestPerson) =>
    api.post(`/projects/${ORCHARD}/extract_references`, { as, body: { text } })

  test('are keywords for callers who see the trackers', async () => {
    expect((await extract('tree #7, root #8', TOM)).json).toMatchObject([{ text: 'tree #7' }])
    expect((await extract('tree #7, root #8', MARA)).json).toMatchObject([{ text: 'tree #7' }, { text: 'root #8' }])
  })

  test('link to artifacts, with the same exception', async () => {
    const go = (key: string, as: TestPerson) => api.get(`/goto?key=${key}&val=7&group_id=${ORCHARD}`, { as })

    expect((await go('Tree', TOM)).headers['location']).toBe('/artifacts/7')
    expect((await go('root', TOM)).status).toBe(404)
    expect((await go('root', MARA)).headers['location']).toBe('/artifacts/7')
  })

  test('are known to other trackers as soon as they exist', async () => {
    const target = await write('')
    expect(await references(await write(`shrub #${target}`))).toEqual([])
    await makeTestTracker(api, { ...TREES, label: 'Shrubs', item_name: 'shrub' })
    expect(await references(await write(`shrub #${target}`))).toEqual([`out shrub #${target}`])
  })
})

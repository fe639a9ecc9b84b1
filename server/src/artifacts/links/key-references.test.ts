import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { beginTestImport, finishTestImport, importLine, importLines } from '../../../test/fixtures/imports.ts'
import { ROOTS, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { LEADS, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { auditArtifacts } from '../../../test/harness/auditor.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startRecorder } from '../../../test/suites/sql/record-statements.ts'

const recorder = startRecorder()
afterAll(() => recorder.stop())

const countStatements = async (run: () => Promise<unknown>) => (await recorder.record(run)).length

const { api, context } = await startWorld({ seedOnce: true })

const summary = (key: string, details = '') => ({
  values_by_field: { summary: { value: key }, details: { value: details, format: 'text' } },
})

/** Imports lines with these keys and texts, and returns the ids. */
async function importKeys(
  tracker: { readonly id: number },
  texts: Readonly<Record<string, string | { comment: string }>>,
  project: number = ORCHARD,
): Promise<number[]> {
  const id = await beginTestImport(api, undefined, project)
  const lines = Object.entries(texts).map(([key, text]) =>
    typeof text === 'string'
      ? importLine({ tracker: tracker.id, key }, summary(key, text))
      : importLine({ tracker: tracker.id, key }, summary(key), { comment: { body: text.comment, format: 'text' } }),
  )
  const written = await importLines(api, id, lines)
  await finishTestImport(api, id)
  return written.lines.map((line: { id: number }) => line.id)
}

let trees: MadeTracker
/** For project administrators. */
let roots: MadeTracker
/** The artifacts with the keys `ABC-1`, and `DEEP-1` in the tracker for administrators. */
let [old, deep] = [0, 0]
beforeAll(async () => {
  trees = await makeTestTracker(api, TREES)
  roots = await makeTestTracker(api, ROOTS)
  old = (await importKeys(trees, { 'ABC-1': '' }))[0] ?? 0
  deep = (await importKeys(roots, { 'DEEP-1': '' }))[0] ?? 0
})

const write = (details: string, more: object = {}) =>
  makeTestArtifact(api, trees, { summary: 'Tree', details: { value: details, format: 'text' }, ...more })
const update = (id: number, body: object) => api.put(`/artifacts/${id}`, { as: MARA, body })

interface Shown {
  readonly type: string
  readonly label: string
  readonly value: { ref: string; url: string; direction: string }[]
  readonly post_processed_value: string
}
async function valuesOf(id: number, as?: TestPerson): Promise<Shown[]> {
  return (await api.get(`/artifacts/${id}`, as && { as })).json.values
}
const references = async (id: number, as: TestPerson = TOM) =>
  ((await valuesOf(id, as)).find(({ type }) => type === 'cross')?.value ?? []).map(
    ({ ref, direction }) => `${direction} ${ref}`,
  )
const html = async (id: number, as?: TestPerson) =>
  (await valuesOf(id, as)).find(({ label }) => label === 'details')?.post_processed_value
const linkTo = (id: number, key: string) =>
  `<a href="/goto?key=art&amp;val=${id}&amp;group_id=${ORCHARD}" class="cross-reference">${key}</a>`

describe('a source key in a text', () => {
  test('is a reference at both ends, and a link', async () => {
    const id = await write('as in ABC-1, and (ABC-1)')
    expect(await references(id)).toEqual(['out ABC-1'])
    expect(await references(old)).toContain(`in art #${id}`)
    expect(await html(id)).toContain(`as in ${linkTo(old, 'ABC-1')}, and (${linkTo(old, 'ABC-1')})`)
    const { value } = (await valuesOf(id)).find(({ type }) => type === 'cross') ?? {}
    expect(value).toEqual([
      { ref: 'ABC-1', url: `https://waypost.example/goto?key=art&val=${old}&group_id=${ORCHARD}`, direction: 'out' },
    ])
    const { pathname, search } = new URL(value?.[0]?.url ?? '')
    expect((await api.get(pathname + search)).headers['location']).toBe(`/artifacts/${old}`)
  })

  test('is a whole word, with the case of its letters, outside of code', async () => {
    const id = await write('abc-1 ABC-10 XABC-1 ABC-1-2 éABC-1 ABC-1x ABC_1 ABC-2 UTF-8')
    expect(await references(id)).toEqual([])
    expect(await html(id)).not.toContain('<a ')
    const code = await makeTestArtifact(api, trees, {
      summary: 'Tree',
      details: { value: '`ABC-1` *ABC-1*', format: 'commonmark' },
    })
    expect(await html(code)).toContain(`<code>ABC-1</code> <em>${linkTo(old, 'ABC-1')}</em>`)
  })

  test('comes and goes with its text, and stands beside other references', async () => {
    const id = await write('nothing')
    await update(id, { values_by_field: { details: `ABC-1 and art #${deep}` } })
    expect(await references(id, MARA)).toEqual([`out art #${deep}`, 'out ABC-1'])
    await update(id, { values_by_field: { details: `art #${deep}` } })
    expect(await references(id, MARA)).toEqual([`out art #${deep}`])
    expect(await references(old, MARA)).not.toContain(`in art #${id}`)
  })

  test('counts in comments, for those who may read the comment', async () => {
    const id = await write('')
    await update(id, { values: [], comment: { body: 'like ABC-1', format: 'text' } })
    expect(await references(id)).toEqual(['out ABC-1'])
    const { json } = await api.get(`/artifacts/${id}/changesets`, { as: TOM })
    expect(json.at(-1).last_comment.post_processed_body).toContain(linkTo(old, 'ABC-1'))
    const quiet = await write('')
    await update(quiet, { values: [], comment: { body: 'ABC-1', format: 'text', ugroups: [String(LEADS)] } })
    expect(await references(quiet)).toEqual([])
    expect(await references(quiet, UMA)).toEqual(['out ABC-1'])
    expect(await references(old)).not.toContain(`in art #${quiet}`)
  })

  test('in a field that the viewer may not read is no reference, and links no other text', async () => {
    const id = await write('LATE-1')
    const [late = 0] = await importKeys(trees, { 'LATE-1': '' })
    await update(id, { values_by_field: { secret: 'LATE-1' } })
    expect(await references(id)).toEqual([])
    expect(await references(late)).toEqual([])
    expect(await html(id)).not.toContain('<a ')
    expect(await references(id, MARA)).toEqual(['out LATE-1'])
    expect(await html(id, MARA)).toContain(linkTo(late, 'LATE-1'))
  })

  test('of a hidden artifact looks the same as a key that does not exist', async () => {
    const hidden = await write('see DEEP-1')
    const absent = await write('see GONE-1')
    for (const as of [undefined, OLGA, TOM]) {
      expect((await html(hidden, as))?.replace('DEEP', 'GONE')).toBe(await html(absent, as))
      expect(await references(hidden, as)).toEqual([])
      expect(await references(absent, as)).toEqual([])
    }
    expect(await html(hidden, MARA)).toContain(linkTo(deep, 'DEEP-1'))
    expect(await references(hidden, MARA)).toEqual(['out DEEP-1'])
    expect(await references(deep, MARA)).toContain(`in art #${hidden}`)
  })

  test('is no reference of the artifact itself', async () => {
    await update(old, { values_by_field: { details: 'ABC-1 again' } })
    expect(await html(old)).not.toContain('<a ')
    expect((await references(old)).filter((each) => !each.startsWith('in '))).toEqual([])
  })

  test('is found by extract_references with the rights of the caller', async () => {
    const extract = async (as: TestPerson) =>
      (
        await api.post(`/projects/${ORCHARD}/extract_references`, {
          as,
          body: { text: `fixes ABC-1, see DEEP-1 and art #${old}, GONE-1` },
        })
      ).json.map(({ text, context: word }: { text: string; context: string }) => `${word}:${text}`)
    expect(await extract(OLGA)).toEqual(['fixes:ABC-1', `:art #${old}`])
    expect(await extract(MARA)).toEqual(['fixes:ABC-1', ':DEEP-1', `:art #${old}`])
  })

  test('needs no further statement to read', async () => {
    const ids = [await write('nothing'), await write('ABC-1')]
    const counts: number[] = []
    for (const id of ids) {
      await valuesOf(id, TOM) // The caches are warm now.
      counts.push(await countStatements(() => valuesOf(id, TOM)))
    }
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[1]).toBe(counts[0])
  })
})

describe('texts that an import brings', () => {
  test('name keys of earlier and later lines, and of none', async () => {
    const [first = 0, second = 0, third = 0] = await importKeys(trees, {
      'NEW-1': 'blocks NEW-2, ABC-1, GONE-7',
      'NEW-2': { comment: 'because of NEW-1' },
      'NEW-3': 'NEW-3 itself, UTF-8',
    })
    expect(await references(first)).toEqual(['out ABC-1', 'both NEW-2'])
    expect(await references(second)).toEqual(['both NEW-1'])
    expect(await references(third)).toEqual([])
    expect(await html(first)).toContain(`blocks ${linkTo(second, 'NEW-2')}, ${linkTo(old, 'ABC-1')}, GONE-7`)
    const waiting = context.db.selectFrom('artifact_reference').select('ref').where('keyword', '=', '@')
    expect(await waiting.where('target_id', 'is', null).execute()).toEqual([])
    expect(await auditArtifacts(context, context.db)).toEqual([])
  })

  test('show no reference while the import runs', async () => {
    const id = await beginTestImport(api)
    const { lines } = await importLines(api, id, [
      importLine({ tracker: trees.id, key: 'RUN-1' }, summary('R', 'ABC-1')),
    ])
    expect(await references(lines[0].id, MARA)).toEqual([])
    await api.patch(`/imports/${id}?dry_run=true`, { as: ADA, body: { state: 'finished' } })
    expect(await references(lines[0].id, MARA)).toEqual([])
    await finishTestImport(api, id)
    expect(await references(lines[0].id, MARA)).toEqual(['out ABC-1'])
  })
})

describe('a key of several artifacts', () => {
  test('means those of the project of the text, if the viewer sees one there; otherwise all', async () => {
    const { json: vault } = await api.post(`/projects/${VAULT}/trackers`, { as: ADA, body: TREES })
    const [far = 0] = await importKeys(vault, { 'TWO-1': '', 'TWO-2': '' }, VAULT)
    const [near = 0] = await importKeys(trees, { 'TWO-1': '' })
    const [again = 0] = await importKeys(trees, { 'TWO-1': '' })
    const id = await write('TWO-1')
    expect(await references(id, TOM)).toEqual(['out TWO-1', 'out TWO-1'])
    expect(await html(id, TOM)).toContain(linkTo(Math.min(near, again), 'TWO-1'))
    expect(await references(id, VICTOR)).toEqual(['out TWO-1', 'out TWO-1'])
    const { json } = await api.get(`/artifacts/${far}`, { as: VICTOR })
    expect(JSON.stringify(json)).toContain(`art #${id}`)
    await api.delete(`/artifacts/${near}`, { as: MARA })
    await api.delete(`/artifacts/${again}`, { as: MARA })
    expect(await references(id, TOM)).toEqual([])
    expect(await references(id, VICTOR)).toEqual(['out TWO-1'])
    expect(await html(id, VICTOR)).toContain(linkTo(far, 'TWO-1'))
  })
})

test('a source key in the search finds only what the caller sees', async () => {
  const found = async (keywords: string, as?: TestPerson) =>
    (await api.post('/search', { ...(as && { as }), body: { keywords } })).json.map(
      (each: { per_type_id: number }) => each.per_type_id,
    )
  expect((await found('ABC-1', OLGA))[0]).toBe(old)
  expect((await found('ABC-1'))[0]).toBe(old)
  expect(await found('abc-1', OLGA)).not.toEqual([])
  expect(await found('DEEP-1', OLGA)).not.toContain(deep)
  expect((await found('DEEP-1', MARA))[0]).toBe(deep)
})

import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { uploadInChunks } from '../../../test/fixtures/attachments.ts'
import { writeInBulk, writeTable } from '../../../test/fixtures/bulk.ts'
import { EVERY_FIELD, makeTestArtifact, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { ADA, MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { BUGS, LEDGER } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { createRepeatableRandom } from '../../../test/suites/fuzz/random.ts'
import { csvHead, type CsvOptions, csvRow, unescapeFormulas } from '../../platform/wire/csv.ts'
import { readCsv } from '../../platform/wire/read-csv.ts'
import { FIELD_TYPES } from '../../trackers/field-types/field-types.ts'

const { api } = await startWorld({ seedOnce: true })
const SEPARATORS = ['comma', 'semicolon', 'tab'] as const
const READ_ONLY = new Set(
  (
    'xref title status submitted_by submitted_on last_modified_date files remaining id_2 number submitted_by_2 ' +
    'last_update_by submitted_on_2 last_update rank references burndown burnup'
  ).split(' '),
)

let tracker: MadeTracker
let ids: number[]

interface Table {
  readonly columns: readonly string[]
  readonly rows: string[][]
}

const exportText = async (query = '', as = MARA) => {
  const { text } = await api.get(`/trackers/${tracker.id}/artifacts.csv${query}`, { as })
  return text
}
const parse = async (text: string): Promise<Table> => {
  const records: string[][] = []
  for await (const { cells } of readCsv(Readable.from([Buffer.from(text)]), 1e6))
    records.push(cells.map(unescapeFormulas))
  const [columns = [], ...rows] = records
  return { columns, rows }
}
const print = ({ columns, rows }: Table, options: CsvOptions = {}) =>
  csvHead(columns, options) + rows.map((row) => csvRow(row, options)).join('')
const setCell = ({ columns, rows }: Table, row: number, column: string, text: string) => {
  rows[row]?.splice(columns.indexOf(column), 1, text)
}
/** The table without the columns that the server writes. */
const writable = ({ columns, rows }: Table) =>
  [columns, ...rows].map((row) => row.filter((_, at) => !READ_ONLY.has(columns[at] ?? '')))
const send = (table: string, query = '', as = MARA) => writeTable(api, tracker.id, table, { as, query })
const refusal = (body: string, as = MARA) =>
  api.post(`/trackers/${tracker.id}/artifacts/bulk`, { as, body, headers: { 'content-type': 'text/csv' } })

beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  const file = await uploadInChunks(api, MARA, { name: 'plan|b.txt', content: 'Plan.\n' })
  const rich = await makeTestArtifact(api, tracker, {
    summary: '=HYPERLINK("https://evil.example";"x")',
    details: { value: '-1 "quoted";\r\n=second, line\n\t@third', format: 'text' },
    points: -5,
    effort: -0.5,
    spent: '2h 30m',
    due: '2026-03-05',
    started: '2026-03-05T10:30:00+02:00',
    status: 'Working',
    severity: 'High',
    places: { value: ['Barn', 'Dock'] },
    fruits: { value: ['Apple', 'Plum'] },
    assigned_to: { value: ['uma', 'tom'] },
    team: { value: 'leads' },
    tags: { value: ['a|b', 'c\\d', 'cold'] },
    files: { value: [file] },
    remaining: { manual_value: 7 },
    budget: "'+1",
  })
  const html = { value: '<p>Bold <b>text</b></p>', format: 'html' }
  const parent = { summary: 'Parent, of one', details: html, links: { links: [{ id: rich, type: '_is_child' }] } }
  const restricted = { summary: '@home', details: { value: '*mark*', format: 'commonmark' } }
  ids = [
    rich,
    await makeTestArtifact(api, tracker, parent),
    await makeTestArtifact(api, tracker, { ...restricted, seen_by: { value: { granted_groups: ['3001'] } } }),
    await makeTestArtifact(api, tracker, { summary: 'Bare' }),
  ]
})

describe('an export that comes back unchanged', () => {
  test('has a column of every type of field', () => {
    const types = FIELD_TYPES.filter(({ kind }) => kind === 'field').map(({ type }) => type)
    expect(new Set(EVERY_FIELD.elements.map(({ type }) => type))).toEqual(new Set(types))
  })

  test.each(SEPARATORS)('changes nothing, separated by %s', async (separator) => {
    for (const [query, as] of [
      [`?separator=${separator}`, MARA],
      [`?separator=${separator}&bom=true`, TOM],
    ] as const) {
      const text = await exportText(query, as)
      const { rows } = await parse(text)
      const { done, lines } = await send(text, '?dry_run=true', as)
      expect(done).toEqual({
        lines: rows.length,
        succeeded: 0,
        unchanged: rows.length,
        failed: 0,
        stopped: false,
        ignored: expect.arrayContaining([...READ_ONLY]),
      })
      for (const line of lines) expect(line.dry_run.changes).toEqual([])
      expect((await send(text, '', as)).done).toMatchObject({ succeeded: 0, unchanged: rows.length })
    }
  })

  test('changes nothing with the line ends of another program', async () => {
    const text = (await exportText()).replaceAll('\r\n', '\n')
    expect((await send(text, '?dry_run=true')).done).toMatchObject({ succeeded: 0, failed: 0 })
  })

  test('changes nothing as raw text, if it is sent as such', async () => {
    const text = await exportText('?raw=true')
    expect((await send(text, '?dry_run=true&raw=true')).done).toMatchObject({ succeeded: 0, failed: 0 })
  })

  test('changes nothing with some of its columns', async () => {
    for (const fields of [
      'id,values.status,values.details',
      'id,status,values.links',
      'tracker.id,id,full_status,title',
    ]) {
      const { done } = await send(await exportText(`?fields=${fields}`), '?dry_run=true')
      expect(done).toMatchObject({ lines: 4, unchanged: 4 })
    }
  })
})

describe('an edited export', () => {
  const EDITS: readonly (readonly [row: number, column: string, text: string])[] = [
    [0, 'summary', '-New, "title"; \'=1'],
    [0, 'details', '=1\r\n+2'],
    [0, 'points', '-12'],
    [0, 'effort', '1.5e-7'],
    [0, 'spent', '90'],
    [0, 'due', ''],
    [0, 'started', '2026-03-06T08:30:00+00:00'],
    [0, 'status_2', 'Closed'],
    [0, 'severity', ''],
    [0, 'places', 'Yard'],
    [0, 'fruits', 'Pear|Apple'],
    [0, 'assigned_to', 'mara'],
    [0, 'team', ''],
    [0, 'tags', 'x\\|y|new\\\\tag'],
    [0, 'budget', '@both'],
    [1, 'details', '<p>Other</p>'],
    [2, 'seen_by', 'project_admins'],
  ]

  test.each(SEPARATORS)('is what the next export shows, separated by %s', async (separator) => {
    const before = await exportText()
    const table = await parse(before)
    for (const edit of EDITS) setCell(table, ...edit)
    setCell(table, 1, 'links', `${ids[0]}|${ids[3]}`)
    const dry = await send(print(table, { separator }), '?dry_run=true')
    expect(dry.done).toMatchObject({ lines: 4, succeeded: 3, unchanged: 1, failed: 0 })
    expect(dry.lines[0].dry_run.changes[0].fields.map(({ name }: { name: string }) => name)).toContain('points')
    expect(await exportText()).toBe(before)
    expect((await send(print(table, { separator }))).statuses).toEqual([200, 200, 200, 200])
    expect(writable(await parse(await exportText()))).toEqual(writable(table))
    // The next separator starts with the same values.
    expect((await send(before)).done).toMatchObject({ succeeded: 3, failed: 0 })
    expect(writable(await parse(await exportText()))).toEqual(writable(await parse(before)))
  })

  test('keeps the formats of texts and the types of links', async () => {
    const table = await parse(await exportText('?fields=id,values.details,values.links'))
    setCell(table, 1, 'details', '<p>Again</p>')
    setCell(table, 1, 'links', `${ids[3]}|${ids[0]}`)
    expect((await send(print(table))).statuses).toEqual([200, 200, 200, 200])
    const { json } = await api.get(`/artifacts/${ids[1]}?values_format=by_field&by_field_types=all`, { as: MARA })
    expect(json.values_by_field.details).toMatchObject({ format: 'html', value: '<p>Again</p>' })
    const types = json.values_by_field.links.links.map(({ id, type }: { id: number; type: string }) => [id, type])
    expect(Object.fromEntries(types)).toEqual({ [String(ids[0])]: '_is_child', [String(ids[3])]: '' })
  })

  test('never opens a restricted artifact', async () => {
    const { done } = await send(`id,seen_by\n${ids[2]},\n`, '?dry_run=true')
    expect(done).toMatchObject({ unchanged: 1 })
  })

  test('of a read-only column changes nothing, and the response names it', async () => {
    const answer = await send(`id,xref,submitted_on,rank\n${ids[3]},bug #1,2020-01-01,5\n`)
    expect(answer.done).toMatchObject({ unchanged: 1, ignored: ['xref', 'submitted_on', 'rank'] })
    const odd = await send(`id,"title.\r\nx: 船"\n${ids[3]},x\n`)
    expect(odd.done).toMatchObject({ unchanged: 1, ignored: ['title.\r\nx: 船'] })
  })
})

test('a column with the name of a member and of a field sets the field, unless the numbered column is there too', async () => {
  const bare = ids.at(-1)
  const statusNow = async () => (await api.get(`/artifacts/${bare}`, { as: MARA })).json.full_status.value
  expect((await send(`id,status\r\n${bare},Open\r\n`)).statuses).toEqual([200])
  expect(await statusNow()).toBe('Open')
  expect((await send(`id,status,status_2\r\n${bare},Closed,Working\r\n`)).statuses).toEqual([200])
  expect(await statusNow()).toBe('Working')
})

describe('rows without an id', () => {
  test.each([
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
  ])('create artifacts, separated by %s, with defaults for empty cells', async (_, separator) => {
    const text = ['id,summary,points,fruits', ',One,3,Pear|Plum', `${ids[3]},Bare,,`, ',Two,,'].join('\n')
    const { statuses, lines } = await send(text.replaceAll(',', separator))
    expect(statuses).toEqual([201, 200, 201])
    const { json } = await api.get(`/artifacts/${lines[0].id}?values_format=by_field&by_field_types=all`, { as: MARA })
    const { summary, points, fruits } = json.values_by_field
    expect([summary.value, points.value, fruits.values.map(({ label }: { label: string }) => label)]).toEqual([
      'One',
      3,
      ['Pear', 'Plum'],
    ])
    expect(lines.map(({ line }) => line)).toEqual([2, 3, 4])
  })

  test.each(SEPARATORS)('keep every text, separated by %s', async (separator) => {
    const random = createRepeatableRandom('75')
    const bits = ['=', '+', '-', '@', "'", '"', ',', ';', '\t', '\r\n', '\n', '|', '\\', 'a', ' ', 'ü'] as const
    const texts = Array.from({ length: 40 }, () =>
      Array.from({ length: random.integer(1, 12) }, () => random.pick(bits)).join(''),
    )
    const rows = texts.map((text, at) => [`Text ${separator} ${at}`, text])
    const { done } = await send(print({ columns: ['summary', 'details'], rows }, { separator }))
    expect(done).toMatchObject({ succeeded: texts.length, failed: 0 })
    const shown = await parse(await exportText('?fields=values.summary,values.details&order=desc'))
    expect(shown.rows.slice(0, rows.length).toReversed()).toEqual(rows)
  })
})

describe('a table is refused', () => {
  test('for an unknown column, with the nearest name', async () => {
    const details = { path: 'sumary', cause: 'column_unknown', nearest: 'summary', line: 1 }
    expect(await refusal('id,sumary\n1,x\n')).toMatchObject(refused(400, 'reference_unknown', details))
    expect(await refusal('id,nothing like it\n1,x\n')).toMatchObject(refused(400, 'reference_unknown'))
    expect(await refusal('id,status_3\n1,x\n')).toMatchObject(refused(400, 'reference_unknown'))
    expect(await refusal('id,points,points\n1,2,2\n')).toMatchObject(
      refused(400, 'parameter_conflict', { path: 'points', cause: 'column_duplicate' }),
    )
  })

  test('if it is malformed, with line and column', async () => {
    const answer = await refusal(`id,summary\n,"First\nline"\n,"Second\n`)
    expect(answer).toMatchObject(refused(400, 'body_malformed', { cause: 'csv_quote_open', line: 4, column: 2 }))
    expect(answer.json.error.message).toContain('(line 4, column 2)')
    expect(await exportText('?fields=title')).not.toContain('First')
  })

  test('cell by cell, with the column', async () => {
    const rows = [`${ids[3]},many,Open`, `${ids[3]},3,Opn`, 'x,3,Open', '999999,3,Open', `${ids[3]},4,Working`]
    const answer = await send(`id,points,status_2\n${rows.join('\n')}\n`, '?dry_run=true')
    expect(answer.statuses).toEqual([400, 400, 400, 404, 200])
    expect(answer.lines[0]).toMatchObject({
      line: 2,
      error: { reason: 'value_invalid', details: { path: 'points', all: [{ name: 'points', path: 'points' }] } },
    })
    expect(answer.lines[1].error.details).toMatchObject({ path: 'status_2', nearest: 'Open' })
    expect(answer.lines[2].error).toMatchObject({ reason: 'parameter_invalid', details: { path: 'id' } })
    expect(answer.lines[4].dry_run.changes).toHaveLength(1)
  })
})

describe('permissions', () => {
  test('are those of lines of JSON', async () => {
    const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: 'For members' } } }
    const { json } = await api.post('/artifacts', { as: MARA, body })
    const id: number = json.id
    for (const as of [MARA, TOM, OLGA, ADA]) {
      const values_by_field = { summary: 'Seen', points: 3 }
      const byLine = await writeInBulk(api, BUGS, [{ op: 'update', id, values_by_field }], {
        as,
        query: '?dry_run=true',
      })
      const byRow = await writeTable(api, BUGS, `id,summary,points\n${id},Seen,3\n`, { as, query: '?dry_run=true' })
      expect([byRow.status, byRow.statuses, byRow.reasons]).toEqual([byLine.status, byLine.statuses, byLine.reasons])
    }
    expect(await refusal(`id,budget\n${ids[3]},5\n`, TOM)).toMatchObject(refused(400, 'reference_unknown'))
    const hidden = await send(`id,summary\n${ids[2]},Mine\n`, '', OLGA)
    expect(hidden.statuses).toEqual([404])
  })

  test('come before the table', async () => {
    const path = `/trackers/${tracker.id}/artifacts/bulk`
    const headers = { 'content-type': 'text/csv' }
    expect((await api.post(path, { body: '"', headers })).status).toBe(401)
    expect((await writeTable(api, LEDGER, '"', { as: OLGA })).status).toBe(404)
    expect((await writeTable(api, LEDGER, '"', { as: TOM })).status).toBe(404)
    expect((await writeTable(api, tracker.id, 'summary\nx\n', { as: TOM, query: '?notify=false' })).status).toBe(403)
  })
})

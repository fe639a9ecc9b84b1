import { beforeAll, describe, expect, test } from 'vitest'
import type { Response } from '../../../test/harness/client.ts'
import { type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD, QUARRY } from '../../../test/fixtures/seed-ids.ts'

const { api, clock } = await startWorld({ seedOnce: true })

const PUMPS = {
  label: 'Pumps',
  item_name: 'pump',
  color_name: 'fiesta-red',
  permissions: { full: ['@anonymous'] },
  elements: [
    { name: 'summary', type: 'string', label: 'Summary' },
    { name: 'details', type: 'text', label: 'Details' },
    { name: 'remarks', type: 'text', label: 'Remarks' },
    {
      name: 'status',
      type: 'sb',
      label: 'Status',
      bind: {
        type: 'static',
        values: [
          { key: 'open', label: 'Open' },
          { key: 'done', label: 'Done' },
        ],
      },
    },
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['open'] } },
}
let pumps: MadeTracker
let valves: MadeTracker
beforeAll(async () => {
  pumps = await makeTestTracker(api, PUMPS)
  valves = await makeTestTracker(api, {
    label: 'Valves',
    item_name: 'valve',
    permissions: { full: ['@anonymous'] },
    elements: [{ name: 'note', type: 'text', label: 'Note' }],
  })
})

/** Each artifact is created a second after the previous one. */
async function make(values_by_field: object, comment?: object, tracker = pumps): Promise<number> {
  clock.advance(1000)
  const body = { tracker: { id: tracker.id }, values_by_field, ...(comment && { comment }) }
  const { status, json, text } = await api.post('/artifacts', { as: MARA, body })
  if (status !== 201) throw new Error(text)
  return json.id
}
async function change(id: number, body: object): Promise<void> {
  clock.advance(1000)
  const { status, text } = await api.put(`/artifacts/${id}`, { as: MARA, body })
  if (status !== 200) throw new Error(text)
}
const search = (keywords: string, more: object = {}, as: TestPerson | undefined = OLGA): Promise<Response> =>
  api.post('/search', { ...(as && { as }), body: { keywords, ...more } })
const idsIn = ({ json }: Response): number[] => json.map((row: { per_type_id: number }) => row.per_type_id)
const find = async (keywords: string, more: object = {}, as?: TestPerson) => idsIn(await search(keywords, more, as))
const cropOf = async (keywords: string) => (await search(keywords)).json[0]?.cropped_content

describe('an artifact', () => {
  test('is shown with its title and the text around the hit', async () => {
    const id = await make({ summary: 'Gasket torn', details: 'Water everywhere: the **gasket** of pump 4 is torn.' })
    const { json, headers } = await search('gasket to')
    expect(json).toEqual([
      {
        xref: `pump #${id}`,
        html_url: `/artifacts/${id}`,
        title: 'Gasket torn',
        color_name: 'fiesta-red',
        type: 'artifact',
        per_type_id: id,
        icon_name: 'fa-list-ol',
        project: expect.objectContaining({ id: ORCHARD, shortname: 'orchard', label_without_icon: 'Orchard' }),
        quick_links: [],
        badges: [],
        cropped_content: 'Water everywhere: the gasket of pump 4 is torn.',
      },
    ])
    expect(headers['x-pagination-size']).toBe('1')
  })

  test('is returned as XML, too', async () => {
    const id = await make({ summary: 'Flange <bent>' })
    const { text } = await api.post('/search', {
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: `<request><keywords>flange</keywords><is_open>false</is_open></request>`,
    })
    expect(text).toContain(`<item><xref>pump #${id}</xref><html_url>/artifacts/${id}</html_url>`)
    expect(text).toContain('<title>Flange &lt;bent&gt;</title>')
  })

  test('is found by the next search after a write', async () => {
    const id = await make({ summary: 'Quokka' })
    expect(await find('quokka')).toEqual([id])
    await change(id, { values_by_field: { summary: 'Wombat' } })
    expect([await find('quokka'), await find('wombat')]).toEqual([[], [id]])
    await change(id, { values: [], comment: { body: 'Not a numbat', format: 'text' } })
    expect(await find('numbat')).toEqual([id])
    await api.delete(`/artifacts/${id}`, { as: MARA })
    expect([await find('wombat'), await find('numbat'), await find(String(id))]).toEqual([[], [], []])
  })
})

describe('keywords', () => {
  let id: number
  beforeAll(async () => {
    id = await make(
      {
        summary: 'Zeppelin hangar',
        details: {
          value: 'The Crème brûlée of\n\n hangars, say *experts*. 100% sure_thing C++ a\\b',
          format: 'commonmark',
        },
        remarks: { value: '<p>Straße <strong data-x="nacelle">closed</strong> until</p><p>dusk</p>', format: 'html' },
      },
      { body: 'Mooring mast <em>wanted</em>', format: 'html' },
    )
  })

  test.each([
    ['one word', 'zeppelin'],
    ['words of several places, in any order', 'mast brulee hangar zeppelin'],
    ['another case', 'ZEPPELIN hAnGaR'],
    ['no accents', 'creme brulee'],
    ['other accents', 'zéppëlin'],
    ['accents of two characters', 'zeppelin crème'.normalize('NFD')],
    ['a letter that is written as two', 'zeppelin strasse'],
    ['the beginning of the last word', 'zeppelin expe'],
    ['a phrase', '"creme brulee"'],
    ['a phrase over the end of a line', '"brulee of hangars"'],
    ['a phrase over tags', '"closed until dusk"'],
    ['a phrase and a beginning', '"mooring mast" zepp'],
    ['a phrase that is not finished', '"mooring ma'],
    ['signs', 'zeppelin c++'],
    ['signs that mean something to the database', '100% sure_thing zeppelin'],
    ['a backslash', 'a\\b zeppelin'],
    ['a sentence', 'Zeppelin, hangar.'],
    ['short words among longer ones', 'of zeppelin'],
    ['only short ones', '"of" "a"'],
  ])('find by %s', async (_, keywords) => {
    expect(await find(keywords)).toContain(id)
  })

  test.each([
    ['a word that is not there', 'zeppelin airship'],
    ['the end of a word', 'eppelin'],
    ['the beginning of a word that is not the last', 'zepp hangar'],
    ['the beginning of a phrase', '"zeppelin hang"'],
    ['words that do not follow each other', '"zeppelin mast"'],
    ['a phrase from one field into the next', '"hangar the"'],
    ['a tag', 'zeppelin strong'],
    ['an attribute', 'nacelle'],
    ['a pattern of the database', 'zeppelin ha%'],
    ['another one', 'zeppelin hang_r'],
    ['a regular expression', 'zeppelin h.*r'],
  ])('do not find by %s', async (_, keywords) => {
    expect(await find(keywords)).toEqual([])
  })

  test('find in scripts without spaces', async () => {
    const leak = await make({ summary: 'ポンプ漏れ検査' })
    expect(await find('漏れ')).toEqual([leak])
    const word = await make({ summary: 'Насос течёт' })
    expect([await find('насос'), await find('НАС'), await find('асос')]).toEqual([[word], [word], []])
  })
})

describe('the order', () => {
  test('puts the referenced artifact first, then titles, then the rest, each by latest change', async () => {
    const first = await make({ summary: 'Sprocket' })
    const inText = await make({ summary: 'Chain', details: `sprocket, see ${first} or #${first}` })
    const second = await make({ summary: `Sprocket ${first}` })
    const inComment = await make({ summary: 'Belt' }, { body: `Sprocket ${first}`, format: 'text' })
    expect(await find('sprocket')).toEqual([second, first, inComment, inText])
    expect(await find(String(first))).toEqual([first, second, inComment, inText])
    await change(first, { values_by_field: { remarks: 'changed' } })
    await change(inText, { values_by_field: { remarks: 'changed' } })
    expect(await find('sprocket')).toEqual([first, second, inText, inComment])
  })

  test('ranks a title only if it contains all words', async () => {
    const title = await make({ summary: 'Copper kettle' })
    const both = await make({ summary: 'Copper', details: 'kettle' })
    expect(await find('copper kettle')).toEqual([title, both])
    expect(await find('copper')).toEqual([both, title])
  })

  test.each([
    ['12', (id: number) => `${id}`],
    ['#12', (id: number) => `#${id}`],
    ['art #12', (id: number) => `art #${id}`],
    ['ARTIFACT #12', (id: number) => `ARTIFACT #${id}`],
    ['pump #12', (id: number) => `pump #${id}`],
    ['Pump #12', (id: number) => `Pump #${id}`],
    ['pump #orchard:12', (id: number) => `pump #orchard:${id}`],
    ['art #2001:12', (id: number) => `art #${ORCHARD}:${id}`],
  ])('recognizes %s as a reference', async (_, named) => {
    const id = await make({ summary: 'Unrelated' })
    const { json } = await search(named(id))
    expect(json[0]).toMatchObject({ per_type_id: id, title: 'Unrelated', cropped_content: null })
  })

  test.each([
    ['valve #12', (id: number) => `valve #${id}`],
    ['svn #12', (id: number) => `svn #${id}`],
    ['art #quarry:12', (id: number) => `art #quarry:${id}`],
    ['art #2003:12', (id: number) => `art #${QUARRY}:${id}`],
    ['art #12/3', (id: number) => `art #${id}/3`],
    ['"12"', (id: number) => `"${id}"`],
  ])('recognizes no other reference: %s', async (_, named) => {
    expect(await find(named(await make({ summary: 'Unrelated' })))).toEqual([])
  })

  test('continues from the previous page despite changes meanwhile', async () => {
    const ids: number[] = []
    for (let at = 0; at < 5; at++) ids.unshift(await make({ summary: `Turbine ${at}` }))
    const first = await api.post('/search?limit=2', { body: { keywords: 'turbine' } })
    expect([idsIn(first), first.headers['x-pagination-size']]).toEqual([ids.slice(0, 2), '5'])
    await make({ summary: 'Turbine 5' })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    const second = await api.post(next, { body: { keywords: 'turbine' } })
    expect([idsIn(second), second.headers['x-pagination-size']]).toEqual([ids.slice(2, 4), '6'])
  })
})

describe('the snippet', () => {
  test('is from the first field after the title, else from the first comment, as plain text', async () => {
    await make(
      {
        summary: 'Ratchet',
        details: 'nothing',
        remarks: { value: '<b>A ratchet</b> &amp; a <i>pawl</i>', format: 'html' },
      },
      { body: 'The pawl of the **ratchet** hangs', format: 'commonmark' },
    )
    expect(await cropOf('ratchet')).toBe('A ratchet & a pawl')
    expect(await cropOf('hangs ratchet')).toBe('A ratchet & a pawl')
    expect(await cropOf('"ratchet hangs"')).toBe('The pawl of the ratchet hangs')
  })

  test('is truncated', async () => {
    await make({ summary: 'Long', details: `${'before '.repeat(100)}crankshaft ${'after '.repeat(100)}` })
    expect(await cropOf('crankshaft')).toMatch(/^… (before )+crankshaft (after )+…$/)
  })

  test('is empty if only the title matches', async () => {
    await make({ summary: 'Camshaft', details: 'Something else' })
    expect(await cropOf('camshaft')).toBeNull()
  })

  test('is the beginning of a text whose hit is not visible', async () => {
    await make({ summary: 'Link', details: { value: '[see here](https://flywheel.example)', format: 'commonmark' } })
    expect(await cropOf('flywheel')).toBe('see here')
  })
})

describe('a search', () => {
  test('can be limited to a tracker, to a project, and to open artifacts', async () => {
    const open = await make({ summary: 'Piston', status: 'Open' })
    const done = await make({ summary: 'Piston', status: 'Done' })
    const without = await make({ summary: 'Piston' })
    const valve = await make({ note: 'Piston' }, undefined, valves)
    expect(await find('piston', { tracker: valves.id })).toEqual([valve])
    expect(await find('piston', { project: ORCHARD })).toHaveLength(4)
    expect(await find('piston', { project: QUARRY }, ADA)).toEqual([])
    expect(await find('piston', { is_open: true })).toEqual([open, valve])
    expect(await find('piston', { is_open: false })).toEqual([without, done])
    expect(await find('piston', { types: ['project'] })).toEqual([])
    expect(await find('piston', { types: ['artifact'], tracker: pumps.id, is_open: true })).toEqual([open])
    expect(await find(String(done), { is_open: true })).toEqual([])
    expect(await find(String(done), { tracker: valves.id })).toEqual([])
  })

  test('finds projects and artifacts in one order', async () => {
    const id = await make({ summary: 'Somewhere', details: 'in the orchard' })
    const title = await make({ summary: 'Orchard wall' })
    expect(await find('orchard')).toEqual([title, ORCHARD, id])
  })

  test('has no title for an artifact without one', async () => {
    const id = await make({ note: 'Rotor' }, undefined, valves)
    const { json } = await search('rotor', {}, TOM)
    expect(json).toMatchObject([{ per_type_id: id, title: null, xref: `valve #${id}`, cropped_content: 'Rotor' }])
  })

  test('accepts as many words as fit', async () => {
    const id = await make({ summary: 'Alphabet', details: 'a b c d e f g h i j k l m n o p q r s t u v w x y z' })
    expect(await find('a b c d e f g h i j k l m n o p q r s t u v w x y z alphabet')).toEqual([id])
    expect(await find('x '.repeat(100))).toContain(id)
  })
})

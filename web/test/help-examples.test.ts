import { beforeAll, describe, expect, test } from 'vitest'
import { MARA } from '../../server/test/fixtures/people.ts'
import { ORCHARD } from '../../server/test/fixtures/seed-ids.ts'
import { startWorld } from '../../server/test/harness/start-world.ts'
import { ENGLISH_HELP } from '../src/help/english-help.ts'
import { GERMAN_HELP } from '../src/help/german-help.ts'
import { HELP_TOPICS, type HelpContents, type HelpRow } from '../src/help/help-topic.ts'

const rowsOf = (contents: HelpContents): HelpRow[] =>
  HELP_TOPICS.flatMap((topic) => contents[topic].sections.flatMap(({ rows = [] }) => rows))
const examples = (runs: HelpRow['runs']) =>
  rowsOf(ENGLISH_HELP)
    .filter((row) => row.runs === runs)
    .map(({ code }) => code)

describe('the help', () => {
  test('has the same parts and examples in both languages, and other texts', () => {
    const shape = (contents: HelpContents) =>
      HELP_TOPICS.map((topic) =>
        contents[topic].sections.map(({ text, rows = [] }) => [text !== undefined, rows.length]),
      )
    expect(shape(GERMAN_HELP)).toEqual(shape(ENGLISH_HELP))
    const typed = (contents: HelpContents) => rowsOf(contents).map(({ code, runs }) => [code, runs])
    expect(typed(GERMAN_HELP)).toEqual(typed(ENGLISH_HELP))
    const said = (contents: HelpContents) => rowsOf(contents).map(({ meaning }) => meaning)
    expect(said(GERMAN_HELP).filter((meaning) => said(ENGLISH_HELP).includes(meaning))).toEqual([])
  })

  test('closes each piece of code', () => {
    for (const contents of [ENGLISH_HELP, GERMAN_HELP])
      for (const topic of HELP_TOPICS)
        for (const said of [contents[topic].lead, ...contents[topic].sections.map(({ text }) => text ?? '')])
          expect([said, said.split('`').length % 2]).toEqual([said, 1])
  })
})

describe('an example of the help', async () => {
  const { api } = await startWorld({ seedOnce: true })
  let tracker: number
  beforeAll(async () => {
    const { status, json, text } = await api.post(`/projects/${ORCHARD}/trackers`, {
      as: MARA,
      body: { template: 'bugs', item_name: 'helped', label: 'Helped' },
    })
    if (status !== 201) throw new Error(text)
    tracker = json.id
  })

  test.each(examples('query'))('%s is a query that the server takes', async (expert_query) => {
    const query = new URLSearchParams({ expert_query }).toString()
    const { status, text } = await api.get(`/trackers/${tracker}/artifacts?${query}`, { as: MARA })
    expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  })

  test.each(examples('search'))('%s is a search that the server takes', async (query) => {
    expect((await api.get(`/search?${new URLSearchParams({ query }).toString()}`, { as: MARA })).status).toBe(200)
  })

  test('is not a query by chance', async () => {
    const query = new URLSearchParams({ expert_query: 'no_such_field = 1' }).toString()
    expect((await api.get(`/trackers/${tracker}/artifacts?${query}`, { as: MARA })).status).toBe(400)
  })
})

import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { DEFINITION_EXAMPLES } from './definition-examples.ts'
import { definitionPaths } from './definition-json-schema.ts'
import { DEFINITION_MEMBERS, memberKey } from './definition-members.ts'
import { describeDefinition } from './describe-definition.ts'

const { api } = await startWorld({ seedOnce: true })
const page = readFileSync('docs/trackers.md', 'utf8')

test('docs/trackers.md is what the code says; `npm run docs` writes it', () => {
  expect(page).toBe(describeDefinition())
})

test('every member of the schema is described, and nothing else', () => {
  expect(Object.keys(DEFINITION_MEMBERS).toSorted()).toEqual(definitionPaths().toSorted())
  for (const path of definitionPaths()) expect(page).toContain(`| \`${path}\` |`)
})

test('the examples of the page use every member', () => {
  const used = new Set(DEFINITION_EXAMPLES.flatMap(({ definition }) => usedPaths(definition, '').map(memberKey)))
  expect(definitionPaths().filter((path) => !used.has(path))).toEqual([])
})

test('each example of the page is accepted by a dry run, then in fact', async () => {
  const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text))
  expect(blocks).toEqual(DEFINITION_EXAMPLES.map(({ definition }) => definition))
  const ids = new Map<string, number>()
  for (const { method, title, definition } of DEFINITION_EXAMPLES) {
    const address =
      method === 'POST'
        ? `/projects/${ORCHARD}/trackers`
        : `/trackers/${ids.get(definition.item_name ?? '')}/definition`
    const dry = await api.request(method, `${address}?dry_run=true`, { as: ADA, body: definition })
    expect([title, dry.status, dry.json.error]).toEqual([title, 200, undefined])
    const made = await api.request(method, address, { as: ADA, body: definition })
    expect([title, made.status]).toEqual([title, method === 'POST' ? 201 : 200])
    if (method === 'POST') ids.set(definition.item_name ?? '', made.json.id)
  }
})

test.each(['/api/schemas/tracker-definition.json', '/api/v1/schemas/tracker-definition.json'])(
  '%s is the JSON Schema, with a description of every member',
  async (path) => {
    const { status, headers, json } = await api.get(path)

    expect([status, headers['content-type']]).toEqual([200, 'application/schema+json; charset=utf-8'])
    const undescribed = Object.entries(json.properties).filter(([, member]) => !isDescribed(member))
    expect(undescribed).toEqual([])
    for (const [name, definition] of Object.entries(json.$defs))
      for (const [member, each] of Object.entries(isRecord(definition) ? (definition['properties'] ?? {}) : {}))
        expect([name, member, isDescribed(each)]).toEqual([name, member, true])
    const validator = Compile(json)
    for (const { definition } of DEFINITION_EXAMPLES) expect([...validator.Errors(definition)]).toEqual([])
    expect(validator.Check({ label: 1 })).toBe(false)
    expect(validator.Check({ elements: [{ nmae: 'summary' }] })).toBe(false)
  },
)

function isDescribed(schema: unknown): boolean {
  return isRecord(schema) && typeof schema['description'] === 'string' && schema['description'] !== ''
}

function usedPaths(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => usedPaths(each, `${path}[]`))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, each]) => {
    const inner = path === '' ? name : `${path}.${name}`
    return [inner, ...usedPaths(each, inner)]
  })
}

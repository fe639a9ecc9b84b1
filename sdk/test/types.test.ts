import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generateTypes } from '../generate-types.ts'

test('the types match the API description (else: npm run sdk)', () => {
  const description = JSON.parse(readFileSync('openapi.json', 'utf8'))

  expect(generateTypes(description) === readFileSync('sdk/src/api.ts', 'utf8')).toBe(true)
})

test('a union by a member becomes a type, an open type and the list of its types', () => {
  const named = (title: string) => ({ $ref: `#/components/schemas/${title}` })
  const types = generateTypes({
    components: {
      schemas: {
        Fruit: {
          type: 'object',
          required: ['type'],
          properties: { type: { type: 'string' } },
          oneOf: [named('Apple'), named('Pear')],
          discriminator: { propertyName: 'type', mapping: { apple: 'Apple', pear: 'Pear' } },
        },
      },
    },
    paths: {},
  })

  expect(types).toContain('export type Fruit = Apple | Pear\n')
  expect(types).toContain('export type AnyFruit = {\n  type: string\n} & Record<string, unknown>\n')
  expect(types).toContain("export const FRUIT_TYPES: readonly string[] = [\n  'apple',\n  'pear',\n]\n")
})

test('a description becomes types: unions, lists, optional members, and responses without the dry run', () => {
  const types = generateTypes({
    components: {
      schemas: {
        Tree: {
          type: 'object',
          description: 'It grows.',
          required: ['id'],
          properties: {
            id: { type: 'integer' },
            kind: { enum: ['apple', 'pear'] },
            'x-age': { type: ['number', 'null'] },
            fruits: { type: 'array', items: { anyOf: [{ $ref: '#/components/schemas/Fruit' }, { type: 'null' }] } },
          },
        },
        Fruit: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
      },
    },
    paths: {
      '/trees/{id}': {
        put: {
          summary: 'Change a tree.',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } },
          responses: {
            '200': {
              content: {
                'application/json': {
                  schema: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { $ref: '#/components/schemas/DryRun' }] },
                },
              },
            },
            '404': {},
          },
        },
      },
    },
  })

  expect(types).toContain(`/** It grows. */
export type Tree = {
  id: number
  kind?: "apple" | "pear"
  "x-age"?: number | null
  fruits?: (Fruit | null)[]
}`)
  expect(types).toContain('export type Fruit = Record<string, string>')
  expect(types).toContain(`  /** Change a tree. */
  'PUT /trees/{id}': {
    path: {
      id: number
    }
    body?: Tree
    answer: Tree
  }`)
  expect(types).toContain(`WITHOUT_KEY: readonly string[] = [
  'PUT /trees/{id}',
]`)
})

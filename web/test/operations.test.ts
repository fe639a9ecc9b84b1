import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPERATIONS_FOR_PROGRAMS, OPERATIONS_WITHOUT_PAGE_YET } from './operations-without-page.ts'

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
}

/** Addresses that pages open without the typed client: streams, bulk writes and downloads. */
const OPENED: Readonly<Record<string, string>> = {
  writeArtifacts: '/artifacts/bulk',
  followArtifacts: '/artifacts/live',
  listEvents: '/events',
  getArchiveContent: '/content',
  getExportContent: '/users/self/export/content',
}

const document: ApiDocument = JSON.parse(readFileSync('openapi.json', 'utf8'))
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId }]) =>
    operationId === undefined ? [] : [{ id: operationId, call: `${method.toUpperCase()} ${path}` }],
  ),
)
const pages = globSync('web/src/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file))
const clients = globSync('sdk/src/*.ts').filter((file) => !file.endsWith('/api.ts'))
const read = (files: readonly string[]) => files.map((file) => readFileSync(file, 'utf8')).join('\n')
const source = read(pages)
const opened = source + read(clients)

const isCalled = ({ id, call }: (typeof operations)[number]) => {
  const address = OPENED[id]
  return source.includes(`'${call}'`) || (address !== undefined && opened.includes(address))
}
const uncalled = operations.filter((operation) => !isCalled(operation)).map(({ id }) => id)

test('every operation of the API is called by a page, or has a reason why not', () => {
  expect(pages.length).toBeGreaterThan(200)
  expect(operations.length).toBeGreaterThan(150)
  const missing = uncalled.filter((id) => id in OPERATIONS_WITHOUT_PAGE_YET)
  process.stdout.write(
    `operations: ${operations.length}, called by pages ${operations.length - uncalled.length}, for programs ${Object.keys(OPERATIONS_FOR_PROGRAMS).length}, without a page yet ${missing.length}\n`,
  )
  expect(uncalled.filter((id) => !(id in OPERATIONS_FOR_PROGRAMS) && !(id in OPERATIONS_WITHOUT_PAGE_YET))).toEqual([])
})

test('an operation for programs exists, and no page calls it', () => {
  expect(Object.keys(OPERATIONS_FOR_PROGRAMS).filter((id) => !uncalled.includes(id))).toEqual([])
})

test('an operation without a page exists', () => {
  const known = new Set(operations.map(({ id }) => id))
  expect(Object.keys(OPERATIONS_WITHOUT_PAGE_YET).filter((id) => !known.has(id))).toEqual([])
})

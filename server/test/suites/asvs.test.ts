import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROWS = 88

interface Row {
  readonly id: string
  readonly state: string
}

const rows = readRows(readFileSync('docs/asvs.md', 'utf8'))
const tested = new Set(
  [...readFileSync('docs/attacks.md', 'utf8').matchAll(/^\| ([A-Z]\d\d) \|.*\| tested: /gm)].map(([, id = '']) => id),
)

test('every requirement is listed once, with its state', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(rows.filter(({ state }) => !/^(proven|decided|n\.a\.|open): \S/.test(state))).toEqual([])
  expect(rows.length).toBe(ROWS)
})

test('each proven requirement names tested cases and existing tests', () => {
  expect(rows.flatMap(faultsOf)).toEqual([])
})

test.each([
  ['a case that is not tested', 'proven: Z25'],
  ['a file that is not there', 'proven: `src/nothing.test.ts`'],
  ['a title that no test has', 'proven: `test/suites/asvs.test.ts` "is proven by nothing"'],
  ['nothing at all', 'proven: by experience'],
])('%s would be noticed', (_, state) => {
  expect(faultsOf({ id: 'x', state })).not.toEqual([])
})

test('the number of open requirements is documented', () => {
  const open = rows.filter(({ state }) => /(^|; )open: /.test(state))
  process.stdout.write(
    `ASVS: ${rows.length} rows, of which ${open.length} are open: ${open.map(({ id }) => id).join(', ')}\n`,
  )
  expect(open.length).toBeLessThanOrEqual(8)
})

function readRows(text: string): Row[] {
  return [...text.matchAll(/^\| (\d+\.[^|]*) \|[^|]*\| ([^|]*) \|$/gm)].map(([, id = '', state = '']) => ({
    id,
    state,
  }))
}

/** Claims of a state that have no test. */
function faultsOf({ id, state }: Row): string[] {
  const proven = state.match(/^proven: (.*?)(?=; (?:decided|open|n\.a\.): |$)/)?.[1]
  if (proven === undefined) return []
  const ids = proven.match(/\b[A-Z]\d\d\b/g) ?? []
  const files = [...proven.matchAll(/`([^`]+)`((?:,? "[^"]+")*)/g)]
  if (ids.length + files.length === 0) return [`${id} names no proof`]
  const untested = ids.filter((each) => !tested.has(each)).map((each) => `${id} ${each} is not tested`)
  return [...untested, ...files.flatMap(([, file = '', titles = '']) => missingIn(pathTo(file), titles))]
}

/** Tests of the web pages are named with their folder, tests of the server without. */
function pathTo(file: string): string {
  return file.startsWith('web/') ? file : `server/${file}`
}

function missingIn(file: string, titles: string): string[] {
  if (!existsSync(file)) return [`${file} is not there`]
  const text = readFileSync(file, 'utf8')
  return [...titles.matchAll(/"([^"]+)"/g)]
    .map(([, title = '']) => title)
    .filter(
      (title) =>
        !["'", '"', '`'].some(
          (quote) => text.includes(`${quote}${title}${quote}, `) || text.includes(`${quote}${title}${quote},\n`),
        ),
    )
    .map((title) => `${file} has no test "${title}"`)
}

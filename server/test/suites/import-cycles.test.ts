import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { listTrackedFiles } from '../harness/tracked-files.ts'

// Imports of types count: a reader follows them too.
test('no files import each other in a cycle', () => {
  const imports = new Map(
    listTrackedFiles()
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => [file, importedFiles(file)]),
  )
  expect(imports.size).toBeGreaterThan(1000)
  expect(cyclesOf(imports)).toEqual([])
})

test('the search for cycles finds one, and the files that only lead to it are not named', () => {
  const imports = new Map([
    ['above', ['one']],
    ['one', ['two', 'below']],
    ['two', ['one']],
    ['below', []],
  ])
  expect(cyclesOf(imports)).toEqual(['one imports two', 'two imports one'])
})

function importedFiles(file: string): string[] {
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  return [...code.matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
}

function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = withoutLeaves(imports)
  const next = (file: string) => (imports.get(file) ?? []).filter((target) => left.has(target))
  const reaches = (from: string, to: string) => {
    const reached = new Set([from])
    for (const file of reached) for (const target of next(file)) reached.add(target)
    return reached.has(to)
  }
  return [...left].flatMap((file) =>
    next(file)
      .filter((target) => reaches(target, file))
      .map((target) => `${file} imports ${target}`),
  )
}

/** Only makes the search shorter: a file that imports none of the others is in no cycle. */
function withoutLeaves(imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const left = new Set(imports.keys())
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const file of left) if (!imports.get(file)?.some((target) => left.has(target))) left.delete(file)
  }
  return left
}

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listTrackedFiles } from '../harness/tracked-files.ts'

const GENERATED = ['sdk/src/api.ts']
/** Here equal names are the point: types of fields, the failpoints that `#failpoint` resolves to, and wrappers. */
const ALIKE = /\/field-types\/|\/operation\/failpoint(-armed)?\.ts$|\/planted-faults\//

const tracked = listTrackedFiles()
const sources = tracked.filter((file) => /\.tsx?$/.test(file) && !GENERATED.includes(file))

test('an exported name means one thing', () => {
  const exporters = new Map<string, Set<string>>()
  for (const file of sources.filter((each) => !ALIKE.test(each)))
    for (const name of exportedNames(readFileSync(file, 'utf8')))
      exporters.set(name, (exporters.get(name) ?? new Set()).add(file))
  const shared = [...exporters].filter(([, files]) => files.size > 1)
  expect(exporters.size).toBeGreaterThan(1000)
  expect(shared.map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([])
})

test('the length of files is no secret', () => {
  const lengths = sources
    .filter((file) => /^(server|web)\/src\//.test(file) && !/\.test\.tsx?$/.test(file))
    .map(
      (file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line.trim() !== '').length,
    )
    .toSorted((one, other) => one - other)
  const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))]
  process.stdout.write(
    `files: ${lengths.length}, lines that are not blank: median ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)}\n`,
  )
  expect(at(0.5)).toBeLessThanOrEqual(80)
  expect(at(0.95)).toBeLessThanOrEqual(165)
  expect(at(1)).toBeLessThanOrEqual(366)
})

function exportedNames(text: string): string[] {
  const declarations = /^export (?:async )?(?:function\*?|const|let|type|interface|class|enum) (\w+)/gm
  return [...text.matchAll(declarations)].map(([, name = '']) => name)
}

/** The change log also names files of earlier versions. */
const HISTORY = ['CHANGELOG.md']
/** Named because the repository has none. */
const ABSENT = ['index.ts']

test('documents name files and folders that exist', () => {
  const paths = tracked.map((file) => `/${file}`)
  const documents = tracked.filter((file) => file.endsWith('.md') && !HISTORY.includes(file))
  const exists = (path: string) =>
    path.endsWith('/')
      ? paths.some((each) => each.includes(`/${path}`))
      : paths.some((each) => each.endsWith(`/${path}`))
  const missing = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.tsx?|(?:[\w-]+\/){2,})`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !ABSENT.includes(path) && !exists(path))
      .map((path) => `${document}: ${path}`),
  )
  expect(missing).toEqual([])
})

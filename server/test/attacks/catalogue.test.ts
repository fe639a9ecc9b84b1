import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const COUNTS = { A: 26, Z: 49, I: 38, C: 12, D: 8, S: 4 }
const PARTS = ['trackers', 'reports', 'notifications', 'files', 'svn', 'webhooks', 'web UI', 'feed', 'release']

interface Case {
  readonly id: string
  readonly state: string
  /** Where it is tested. */
  readonly files: readonly string[]
}

const cases = readCases()
const tested = readTitles()

describe('the catalogue of attacks', () => {
  test('has every case once, in order', () => {
    const ids = Object.entries(COUNTS).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, at) => `${kind}${String(at + 1).padStart(2, '0')}`),
    )
    expect(cases.map(({ id }) => id)).toEqual(ids)
  })

  test('says of each case where it is tested, or what it waits for', () => {
    const unclear = cases.filter(
      ({ state, files }) => files.length === 0 && !PARTS.some((part) => state === `waits for: ${part}`),
    )
    expect(unclear).toEqual([])
  })

  test('names files whose tests have the id, and none that waits has a test', () => {
    const wrong = cases.filter(({ id, files }) => {
      const found = tested.get(id) ?? new Set()
      return files.length === 0 ? found.size > 0 : files.some((file) => !found.has(file))
    })
    expect(wrong).toEqual([])
  })

  test('knows every id in the title of a test', () => {
    expect([...tested.keys()].filter((id) => !cases.some((each) => each.id === id))).toEqual([])
  })
})

function readCases(): Case[] {
  const rows = readFileSync('docs/attacks.md', 'utf8').matchAll(/^\| ([A-Z]\d\d) \|[^|]*\|[^|]*\| ([^|]*) \|$/gm)
  return [...rows].map(([, id = '', state = '']) => ({
    id,
    state,
    files: state.startsWith('tested: ')
      ? [...state.matchAll(/`([^`]*)`/g)].map(([, file = '']) => `server/${file}`)
      : [],
  }))
}

/** The ids with which titles begin, and the files in which those stand. Read as text: what is skipped counts as well. */
function readTitles(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const file of globSync('server/**/*.test.ts'))
    for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(/\(\s*['"`]([A-Z]\d\d)(?:\/[\w-]+)? /g))
      found.set(id, (found.get(id) ?? new Set()).add(file))
  return found
}

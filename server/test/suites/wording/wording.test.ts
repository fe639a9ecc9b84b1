import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listTrackedFiles } from '../../harness/tracked-files.ts'
import { findCodeFaults, findProseFaults, findSubjectFaults } from './find-faults.ts'

const GENERATED = ['sdk/src/api.ts']
/** Both have to name the banned words. */
const EXEMPT = ['server/test/suites/wording/banned-words.ts', 'server/test/suites/wording/wording.test.ts']

const tracked = listTrackedFiles().filter((file) => ![...GENERATED, ...EXEMPT].includes(file))

test('comments, texts, test names and identifiers use plain words', () => {
  const code = tracked.filter((file) => /\.tsx?$/.test(file))
  expect(code).not.toEqual([])
  expect(code.flatMap((file) => findCodeFaults(file, readFileSync(file, 'utf8')))).toEqual([])
})

test('documents use plain words', () => {
  const documents = tracked.filter((file) => file.endsWith('.md'))
  expect(documents).not.toEqual([])
  expect(documents.flatMap((file) => findProseFaults(file, readFileSync(file, 'utf8')))).toEqual([])
})

test('commit subjects since this check are imperative sentences in plain words', () => {
  const [added] = git(
    'log',
    '--follow',
    '--diff-filter=A',
    '--format=%H',
    '--',
    'server/test/suites/wording/banned-words.ts',
  )
  const subjects = added === undefined ? [] : git('log', '--no-merges', '--format=%s', `${added}^..HEAD`)
  expect(subjects.flatMap(findSubjectFaults)).toEqual([])
})

test('the check finds each kind of fault', () => {
  const text = [
    '/** What is written here. */',
    '// The viewer and his fields.',
    "test('who may not read is refused', () => {})",
    'const inSight = `He reads`',
  ].join('\n')
  expect(findCodeFaults('sample.ts', text).map((each) => each.replace(/ \(.*/, ''))).toEqual([
    'sample.ts:1: "What"',
    'sample.ts:2: "his"',
    'sample.ts:3: "who"',
    'sample.ts:4: "sight"',
    'sample.ts:4: "He"',
  ])
  expect(findProseFaults('sample.md', 'Fine. Who may read?\nNobody else reads it.')).toHaveLength(1)
  expect(findSubjectFaults('Fix things')).toHaveLength(1)
  expect(findSubjectFaults('feed: Deliver each event once.')).toEqual([])
})

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
}

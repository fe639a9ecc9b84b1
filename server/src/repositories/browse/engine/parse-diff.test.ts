import { expect, test } from 'vitest'
import { parseDiff } from './parse-diff.ts'

const LINE = '='.repeat(67)
const parse = (text: string, isCut = false) => parseDiff(Buffer.from(text), isCut)

test('content lines are never parsed as headers', () => {
  const text = [
    'Index: a',
    LINE,
    '--- a\t(revision 1)',
    '+++ a\t(revision 2)',
    '@@ -1,3 +1,3 @@',
    '--- b\t(revision 1)',
    '+Index: b',
    ' Property changes on: a',
    ' @@ -1 +1 @@',
    '\\ No newline at end of file',
    '',
  ].join('\n')
  expect(parse(text)).toEqual([
    {
      path: 'a',
      is_binary: false,
      props: [],
      truncated: false,
      hunks: [
        {
          old_start: 1,
          old_lines: 3,
          new_start: 1,
          new_lines: 3,
          lines: [
            '--- b\t(revision 1)',
            '+Index: b',
            ' Property changes on: a',
            ' @@ -1 +1 @@',
            '\\ No newline at end of file',
          ],
        },
      ],
    },
  ])
})

test('CR alone ends a line too, as in Subversion', () => {
  const text = `Index: a\n${LINE}\n--- a\n+++ a\n@@ -1,2 +1,2 @@\n-Index: x\r+Index: y\r same\r\n`
  expect(parse(text)[0]?.hunks[0]?.lines).toEqual(['-Index: x\r', '+Index: y\r', ' same\r'])
})

test('properties are reported beside the lines', () => {
  const text = `Index: a\n${LINE}\n--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n\nProperty changes on: a\n${'_'.repeat(67)}\nAdded: p q\n## -0,0 +1 ##\n+Added: r\n\\ No newline at end of property\nDeleted: s\n## -1 +0,0 ##\n-t\nIndex: b\n${LINE}\n`
  const [first, second] = parse(text)
  expect(first?.props).toEqual([
    { name: 'p q', op: 'added', lines: ['+Added: r', '\\ No newline at end of property'] },
    { name: 's', op: 'deleted', lines: ['-t'] },
  ])
  expect(first?.hunks).toHaveLength(1)
  expect(second).toMatchObject({ path: 'b', hunks: [], props: [] })
})

test('the last file of a truncated diff is marked, without its partial line', () => {
  const text = `Index: a\n${LINE}\n--- a\n+++ a\n@@ -0,0 +1,2 @@\n+x\n+y`
  expect(parse(text, true)).toMatchObject([{ truncated: true, hunks: [{ lines: ['+x'] }] }])
})

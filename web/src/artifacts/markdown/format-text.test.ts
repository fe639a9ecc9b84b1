import { expect, test } from 'vitest'
import { formatText, type TextFormatting } from './format-text.ts'

/** The selection is between bars; without a second one, it is a cursor. */
function format(marked: string, formatting: TextFormatting): string {
  const from = marked.indexOf('|')
  const to = Math.max(from, marked.lastIndexOf('|') - 1)
  const source = marked.replaceAll('|', '')
  const edit = formatText(source, from, to, formatting)
  const after = source.slice(0, edit.from) + edit.insert + source.slice(edit.to)
  const [begin, end] = edit.select
  return begin === end
    ? `${after.slice(0, begin)}|${after.slice(begin)}`
    : `${after.slice(0, begin)}|${after.slice(begin, end)}|${after.slice(end)}`
}

test.each([
  ['the |gate| is', 'bold', 'the **|gate|** is'],
  ['the **|gate|** is', 'bold', 'the |gate| is'],
  ['|', 'italic', '_|_'],
  ['|x|', 'code', '`|x|`'],
  ['see |this|', 'link', 'see [this](|https://|)'],
  ['|', 'link', '[|](https://)'],
  ['one\nt|wo\nthr|ee\nfour', 'list', 'one\n- two\n- three|\nfour'],
  ['- two\n- th|ree', 'list', '- two\nthree|'],
  ['|two', 'tasks', '- [ ] two|'],
  ['|a\nb|', 'quote', '> a\n> b|'],
] as const)('%j as %s is %j', (before, formatting, after) => {
  expect(format(before, formatting)).toBe(after)
})

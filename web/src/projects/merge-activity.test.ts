import { expect, test } from 'vitest'
import { mergeActivity } from './merge-activity.ts'

const parse = (html: string) => {
  const [before = '', name, after = ''] = html.split('|')
  return { before, link: name === undefined ? null : { href: `/${name}`, name }, after }
}
const entry = (html_message: string, id = 1) => ({ html_message, user: { id } })
const merge = (...entries: readonly ReturnType<typeof entry>[]) =>
  mergeActivity(entries, parse).map((each) => [each.entry.html_message, each.others])

test('the same act of one person on several people becomes one entry', () => {
  expect(merge(entry('added |users/tom|'), entry('added |users/uma|'), entry('added |users/sam|'))).toEqual([
    ['added |users/tom|', 2],
  ])
})

test('another act, another person, or an entry in between begins a new entry', () => {
  const [added, removed] = [entry('added |users/tom|'), entry('removed |users/tom|')]
  expect(merge(added, removed, added)).toHaveLength(3)
  expect(merge(added, entry('added |users/uma|', 2))).toHaveLength(2)
})

test('artifacts and messages without a name stay apart', () => {
  expect(merge(entry('|artifacts/1| Pump'), entry('|artifacts/2| Pump'))).toHaveLength(2)
  expect(merge(entry('changed the banner'), entry('changed the banner'))).toHaveLength(2)
})

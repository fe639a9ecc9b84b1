import { expect, test } from 'vitest'
import { orderByMatch } from './order-by-match.ts'
import { readTyped } from './read-typed.ts'

const hit = (title: string, matched: 'id' | 'title' | 'text' = 'title', is_open = true) => ({ title, matched, is_open })
const ranked = (typed: string, ...hits: ReturnType<typeof hit>[]) =>
  orderByMatch(hits, readTyped(typed)).map(({ title }) => title)

test('artifacts are in the order of their match: the key, the title, its words, a part of it, other texts', () => {
  expect(
    ranked(
      'refu',
      hit('A comment says it', 'text'),
      hit('Prerefunds are wrong'),
      hit('Chart of refunds'),
      hit('Refund fails'),
      hit('Other', 'id'),
    ),
  ).toEqual(['Other', 'Refund fails', 'Chart of refunds', 'Prerefunds are wrong', 'A comment says it'])
})

test('of equal matches, open artifacts come before closed ones, each in the order of the server', () => {
  expect(
    ranked(
      'refu',
      hit('Find and refund', 'title', false),
      hit('Chart of refunds'),
      hit('Log each refused payout', 'title', false),
      hit('Reject refunds'),
    ),
  ).toEqual(['Chart of refunds', 'Reject refunds', 'Find and refund', 'Log each refused payout'])
})

test('a closed artifact that begins as typed comes before open ones with the word inside', () => {
  expect(ranked('refund', hit('Chart of refunds'), hit('Refund fails', 'title', false))).toEqual([
    'Refund fails',
    'Chart of refunds',
  ])
})

test('case and accents make no difference, and several words may be in any order', () => {
  expect(ranked('größe', hit('Die Grösse'), hit('GRÖSSE der Kiste'))).toEqual(['GRÖSSE der Kiste', 'Die Grösse'])
  expect(ranked('pay ref', hit('Other', 'text'), hit('Refund of a payment'))).toEqual(['Refund of a payment', 'Other'])
})

import { expect, test } from 'vitest'
import { toQuote } from './quote.ts'

test('every line of a quote is marked, also empty ones and quotes in it', () => {
  expect(toQuote('It stops.\n\n> why?\n', false)).toBe('> It stops.\n>\n> > why?\n\n')
})

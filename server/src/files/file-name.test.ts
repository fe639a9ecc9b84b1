import { expect, test } from 'vitest'
import { ApiError } from '../platform/words/errors.ts'
import { cleanName } from './file-name.ts'

test.each([
  ['engine.png', 'engine.png'],
  ['Übersicht (2).日本.pdf', 'Übersicht (2).日本.pdf'],
  ['.htaccess', 'htaccess'],
  ['...hidden', 'hidden'],
  ['"quoted"; name', '"quoted"; name'],
  ['a\ud800', 'a\ufffd'],
])('%j is called %j', (given, name) => {
  expect(cleanName(given)).toBe(name)
})

test.each([
  '',
  '.',
  '..',
  '...',
  '  ',
  '. ',
  'a/b',
  '/etc/passwd',
  '..\\a',
  'C:\\a',
  'a\nb',
  'a\r',
  '\x7f',
  'a\u0085',
  'a\u2028b',
  'a\u202egnp.exe',
])('%j is no name', (given) => {
  expect(() => cleanName(given)).toThrow(new ApiError('name_invalid', { path: 'name' }))
})

import { expect, test } from 'vitest'
import { ApiError } from '../platform/messages/errors.ts'
import { sanitizeFileName } from './file-name.ts'

test.each([
  ['engine.png', 'engine.png'],
  ['Übersicht (2).日本.pdf', 'Übersicht (2).日本.pdf'],
  ['.htaccess', 'htaccess'],
  ['...hidden', 'hidden'],
  ['"quoted"; name', '"quoted"; name'],
  ['a\ud800', 'a\ufffd'],
])('%j is called %j', (given, name) => {
  expect(sanitizeFileName(given)).toBe(name)
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
])('%j is not a file name', (given) => {
  expect(() => sanitizeFileName(given)).toThrow(new ApiError('name_invalid', { path: 'name' }))
})

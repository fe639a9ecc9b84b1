import { expect, test } from 'vitest'
import { answerFormat, requestFormat } from './media-types.ts'

const orRefusal = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

test.each([
  ['application/json', 'json'],
  ['Application/JSON; charset=latin1', 'json'],
  [undefined, 'json'],
  ['', 'json'],
  ['application/xml', 'xml'],
  ['application/xml; charset="UTF-8"', 'xml'],
  ['application/xml;charset=utf-16', 'unsupported_media_type'],
  ['application/xml;charset=utf-7', 'unsupported_media_type'],
  ['application/x-www-form-urlencoded', 'form'],
  ['text/plain', 'unsupported_media_type'],
  ['text/xml', 'unsupported_media_type'],
  ['application/x-ndjson', 'unsupported_media_type'],
  ['application/jsonl', 'unsupported_media_type'],
  ['application/json, application/json', 'unsupported_media_type'],
  ['multipart/form-data; boundary=x', 'unsupported_media_type'],
])('a body of type %s is read as %s', (type, format) => {
  expect(orRefusal(() => requestFormat(type === undefined ? {} : { 'content-type': type }, true))).toBe(format)
})

test('a content type without a body is ignored', () => {
  expect(requestFormat({ 'content-type': 'application/xml' }, false)).toBe('json')
  expect(requestFormat({ 'content-type': 'text/plain' }, false)).toBe('json')
})

test('a route may accept further types', () => {
  const read = (type: string) => requestFormat({ 'content-type': type }, true, ['application/x-ndjson'])
  expect(read('application/x-ndjson; charset=utf-8')).toBe('application/x-ndjson')
  expect(read('application/jsonl')).toBe('application/x-ndjson')
  expect(read('application/json')).toBe('json')
})

test.each([
  ['gzip', 'unsupported_media_type'],
  ['identity, br', 'unsupported_media_type'],
  ['Identity', 'json'],
])('a body encoded as %s is %s', (encoding, format) => {
  expect(orRefusal(() => requestFormat({ 'content-encoding': encoding }, true))).toBe(format)
})

test.each([
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ['APPLICATION/JSON;charset=utf-8', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['text/*', 'xml'],
  ['application/xml, application/json', 'json'],
  ['application/xml, application/json;q=0.9', 'xml'],
  ['application/json;q=0.5, text/*;q=0.8', 'xml'],
  ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', 'xml'],
  ['text/html, image/gif, *; q=.2, */*; q=.2', 'json'],
  ['application/json;q=0, */*', 'xml'],
  ['application/json;q=0', 'not_acceptable'],
  ['application/xml;q=0, text/*', 'not_acceptable'],
  ['*/*;q=0', 'not_acceptable'],
  ['application/json;q=0, application/xml;q=0.0, */*', 'not_acceptable'],
  ['text/csv', 'not_acceptable'],
  ['image/png', 'not_acceptable'],
  ['garbage', 'not_acceptable'],
  [';;,,=', 'not_acceptable'],
  ['application/json;q=high', 'not_acceptable'],
  ['garbage, application/json;q=0.1', 'json'],
])('Accept: %s is answered by %s', (accept, format) => {
  expect(orRefusal(() => answerFormat(accept, []))).toBe(format)
})

test.each([
  ['text/csv', 'text/csv'],
  ['text/*', 'xml'],
  ['*/*', 'json'],
  ['text/csv, */*', 'json'],
  ['text/csv, */*;q=0.1', 'text/csv'],
  ['text/csv, application/xml', 'xml'],
  ['text/csv, application/x-ndjson', 'application/x-ndjson'],
  ['text/csv;q=0', 'not_acceptable'],
])('with further formats, Accept: %s is answered by %s', (accept, format) => {
  expect(orRefusal(() => answerFormat(accept, ['application/x-ndjson', 'text/csv']))).toBe(format)
})

import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../messages/errors.ts'
import { PROBLEM_MEDIA_TYPE } from '../messages/problem-details.ts'

const REQUEST_FORMATS = new Map<string, 'json' | 'xml' | 'form'>([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['application/x-www-form-urlencoded', 'form'],
])
const ANSWER_TYPES = ['application/json', 'application/xml']
const OTHER_NAMES = new Map([['application/jsonl', 'application/x-ndjson']])

/** The format of the request body. `extra`: further media types of the route. */
export function requestFormat<Extra extends string = never>(
  headers: IncomingHttpHeaders,
  hasBody: boolean,
  extra: readonly Extra[] = [],
  offered: readonly string[] = [...REQUEST_FORMATS.keys(), ...extra],
): 'json' | 'xml' | 'form' | Extra {
  // Nothing is decompressed, to prevent decompression bombs.
  const encodings = (headers['content-encoding'] ?? '').split(',').map(normal)
  if (encodings.some((each) => each !== '' && each !== 'identity'))
    throw new ApiError('unsupported_media_type', { path: 'Content-Encoding', allowed: ['identity'] })

  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map(normal)
  if (type === '' || !hasBody) return 'json' // Many clients send a content type without a body.
  const format = REQUEST_FORMATS.get(type)
  const isReadable = (format !== 'xml' && type !== 'text/csv') || parameters.every(isUtf8)
  const found = format ?? extra.find((each) => each === (OTHER_NAMES.get(type) ?? type))
  if (found === undefined || !isReadable) throw unsupportedType(offered)
  return found
}

/** The error for a body of another type than these. */
export function unsupportedType(allowed: readonly string[]): ApiError {
  return new ApiError('unsupported_media_type', { path: 'Content-Type', allowed })
}

/** The error for a response of another type than these. */
export function notAcceptable(allowed: readonly string[]): ApiError {
  return new ApiError('not_acceptable', { path: 'Accept', allowed })
}

/** Whether errors are requested as problem details. Success is JSON then, unless another format is accepted. */
export function acceptsProblemDetails(accept: string | undefined): boolean {
  return (
    accept !== undefined && accept.includes(PROBLEM_MEDIA_TYPE) && (qualities(accept).get(PROBLEM_MEDIA_TYPE) ?? 0) > 0
  )
}

/** The format of the response. `extra`: further media types of the route, which must be requested by name. */
export function answerFormat<Extra extends string = never>(
  accept: string | undefined,
  extra: readonly Extra[] = [],
): 'json' | 'xml' | Extra {
  if (accept === undefined || accept.trim() === '') return 'json'
  const ranges = qualities(accept)
  // The most specific match decides: a range never overrides the type itself.
  const quality = (...steps: readonly string[][]) => {
    for (const step of steps) {
      const given = step.map((name) => ranges.get(name)).filter((each) => each !== undefined)
      if (given.length > 0) return Math.max(...given)
    }
    return 0
  }
  let best: 'json' | 'xml' | Extra = 'json'
  let highest = quality(['application/json'], ['application/*'], ['*/*'])
  const offer = (format: 'xml' | Extra, offered: number) => {
    if (offered > highest) [best, highest] = [format, offered]
  }
  offer('xml', quality(['application/xml', 'text/xml'], ['application/*', 'text/*'], ['*/*']))
  for (const each of extra) offer(each, quality([each]))
  if (highest === 0 && !acceptsProblemDetails(accept)) throw notAcceptable([...ANSWER_TYPES, ...extra])
  return best
}

/** The quality of each range of `Accept`; invalid ones are ignored. */
function qualities(accept: string): Map<string, number> {
  const ranges = new Map<string, number>()
  for (const each of accept.split(',')) {
    const [range = '', ...parameters] = each.split(';').map(normal)
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = given === undefined ? 1 : readQuality(given.slice(2))
    if (range !== '' && quality !== undefined) ranges.set(range === '*' ? '*/*' : range, quality) // `*` is sent by Java.
  }
  return ranges
}

function readQuality(text: string): number | undefined {
  const quality = /^[\d.]+$/.test(text) ? Number(text) : Number.NaN
  return quality >= 0 && quality <= 1 ? quality : undefined
}

function isUtf8(parameter: string): boolean {
  return !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter)
}

function normal(text: string): string {
  return text.trim().toLowerCase()
}

import type { OutgoingHttpHeaders } from 'node:http'
import type { RequestDraft } from './draft.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'

type Make = (known: Knowledge, random: RepeatableRandom) => OutgoingHttpHeaders

/** Adds an odd or meaningless header. */
export function spoilHeaders(draft: RequestDraft, known: Knowledge, random: RepeatableRandom): void {
  Object.assign(draft.headers, random.pick(HEADERS)(known, random))
  if ('transfer-encoding' in draft.headers) delete draft.headers['content-length']
}

const accept =
  (value: string): Make =>
  () => ({ accept: value })
const contentType =
  (value: string): Make =>
  () => ({ 'content-type': value })

const HEADERS: readonly [Make, ...Make[]] = [
  accept('*/*'),
  accept('text/html'),
  accept('application/*;q=0.1, text/csv'),
  accept('application/json;q=0, */*'),
  accept('text/csv;q=1, application/x-ndjson;q=0.9'),
  accept(',;,q=;application/xml;q=2'),
  accept('application/xml;q=0.5,application/json;q=0.5'),
  accept('\xff\xfe'),
  accept('a/b,'.repeat(1000)),
  contentType(''),
  contentType('json'),
  contentType('application/json;charset=latin1'),
  contentType('application/xml; charset="utf-16"'),
  contentType('application/JSON ; x=y'),
  contentType('application/x-www-form-urlencoded'),
  contentType('multipart/form-data'),
  contentType('\xff'),
  () => ({ 'content-encoding': 'gzip' }),
  () => ({ 'transfer-encoding': 'chunked' }),
  () => ({ expect: '100-continue' }),
  () => ({ range: 'bytes=0-1,5-' }),
  () => ({ origin: 'https://evil.example' }),
  () => ({ 'x-request-id': '<script>' }),
  () => ({ 'x-request-id': 'x'.repeat(200) }),
  () => ({ 'x-request-id': '../../etc' }),
  () => ({ host: 'evil.example' }),
  () => ({ 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher', forwarded: 'for="_x"' }),
  () => ({ 'accept-language': 'x-'.repeat(500) }),
  () => ({ 'accept-language': '__proto__, constructor;q=0.9' }),
  () => ({ 'user-agent': '\xff'.repeat(500) }),
  () => ({ 'x-odd': 'x'.repeat(9000) }),
  () => Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-many-${at}`, 'y'.repeat(100)])),
  () => ({ 'idempotency-key': '' }),
  () => ({ 'idempotency-key': 'x'.repeat(129) }),
  () => ({ 'idempotency-key': ['a', 'b'] }),
  () => ({ 'idempotency-key': '\xe4' }),
  (known, random) => ({ 'idempotency-key': random.pickAny(known.idempotencyKeys) ?? 'once' }),
  (known, random) => ({ 'idempotency-key': random.pickAny(known.idempotencyKeys) ?? 'once' }),
  (known, random) => ({ 'if-match': random.pickAny(known.etags) ?? '*' }),
  (known, random) => ({ 'if-none-match': random.pickAny(known.etags) ?? '*' }),
  (known, random) => ({ 'if-none-match': `${known.etags.join(',')}${random.pick(['', ',', '"'])}` }),
  () => ({ 'if-match': '"' }),
  () => ({ 'if-unmodified-since': 'yesterday', 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
  () => ({ 'if-match': ',,,' }),
  () => ({ 'content-digest': 'sha-256=:AAAA:' }),
  () => ({ 'content-digest': 'sha-256=,' }),
  () => ({ 'content-digest': 'md5=:AAAA:' }),
]

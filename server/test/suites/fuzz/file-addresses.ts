import { PAPER } from '../../fixtures/seed-ids.ts'
import { ownFileOf } from '../../fixtures/seed-files.ts'
import { percentEncode, type WireRequest } from './draft.ts'
import { anyText } from './hostile-values.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'
import { ACTIVE } from './recipe.ts'

const RANGES = ['bytes=0-0', 'bytes=-1', 'bytes=5-', 'bytes=0-0,0-0,0-0', 'bytes=9-1', 'items=0-1', 'bytes=-'] as const
const OFFSETS = ['0', '1', '-1', '0x1', '9007199254740993', ''] as const

/** A request to the upload and download URLs of files, outside of the API. */
export function fileRequest(known: Knowledge, random: RepeatableRandom): WireRequest {
  const id = random.pickAny([
    ...(known.ids.get('artifact_files') ?? []),
    ...Object.values(PAPER).map(String),
    ...ACTIVE.map((person) => String(ownFileOf(person))),
    percentEncode(anyText(random).slice(0, 300)),
  ])
  const isUpload = random.chance(0.5)
  const rest = random.pick(['preview', 'plan.txt', '', percentEncode(anyText(random).slice(0, 300))])
  const method = isUpload
    ? random.pick(['HEAD', 'PATCH', 'PATCH', 'DELETE', 'POST', 'OPTIONS', 'GET'])
    : random.pick(['GET', 'GET', 'HEAD', 'POST', 'OPTIONS'])
  const hasBody = random.chance(0.5) && ['PATCH', 'POST', 'DELETE'].includes(method)
  const body = hasBody ? Buffer.alloc(random.integer(0, 100), 'x') : undefined
  const headers = {
    ...(random.chance(0.4) && { range: random.pick(RANGES) }),
    ...(random.chance(0.3) && { 'if-none-match': random.pickAny(known.etags) ?? '*' }),
    ...(random.chance(0.2) && { 'if-range': random.pickAny(known.etags) ?? 'x' }),
    ...(isUpload && random.chance(0.9) && { 'tus-resumable': random.pick(['1.0.0', '1.0.0', '1.0.0', '0.2.2']) }),
    ...(isUpload && random.chance(0.8) && { 'upload-offset': random.pick(OFFSETS) }),
    ...(isUpload && random.chance(0.2) && { 'x-http-method-override': random.pick(['PATCH', 'DELETE', 'get']) }),
    ...(body && {
      'content-type': random.pick(['application/offset+octet-stream', 'application/json']),
      'content-length': body.length,
    }),
  }
  const path = isUpload ? `/uploads/${id}` : `/files/${id}/${rest}`
  return { method, path, headers, body }
}

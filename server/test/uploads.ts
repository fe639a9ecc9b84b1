import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { answerTo, type Client } from './client.ts'
import { type MadeTracker, makeTracker } from './every-field.ts'
import { type Person, TOM } from './people.ts'

const field = (name: string, permissions?: object) => ({ name, type: 'file', label: name, permissions })
const FOR_ADMINS = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }

/** Mara makes a tracker for everybody, with files that members give, that they only read, and that they do not see. */
export function makeFileTracker(api: Client): Promise<MadeTracker> {
  return makeTracker(api, {
    format: 'waypost-tracker/1',
    label: 'Parcels',
    item_name: 'parcel',
    permissions: { full: ['@anonymous'] },
    elements: [
      { name: 'summary', type: 'string', label: 'summary' },
      field('papers'),
      field('others'),
      field('seals', { ...FOR_ADMINS, read: ['@anonymous'] }),
      field('secrets', FOR_ADMINS),
    ],
    semantics: { title: 'summary' },
  })
}

export interface BytesAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
}

interface BytesOptions {
  readonly as?: Person
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: Buffer | string
}

/** Calls an address outside `/api` whose answer may be no text. Redirects are not followed. */
export async function callBytes(api: Client, path: string, options: BytesOptions = {}): Promise<BytesAnswer> {
  const { as, method = 'GET', headers = {}, body } = options
  const outgoing = request(new URL(api.origin), {
    method,
    path,
    headers: { ...(as && { 'x-auth-accesskey': as.key }), ...headers },
  })
  outgoing.end(body)
  const incoming = await answerTo(outgoing)
  const bytes = await buffer(incoming)
  return { status: incoming.statusCode ?? 0, headers: new Headers(headersOf(incoming)), bytes, text: bytes.toString() }
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, String(value)])
}

interface Sent {
  readonly name?: string
  readonly type?: string
  readonly as?: Person
}

/** Announces an upload; resolves with its id. */
export async function announce(api: Client, field_id: number, size: number, sent: Sent = {}): Promise<number> {
  const { name = 'papers.txt', type = 'text/plain', as = TOM } = sent
  const body = { name, file_size: size, file_type: type }
  const { status, text, json } = await api.post(`/tracker_fields/${field_id}/files`, { as, body })
  if (status !== 200) throw new Error(`The file was not announced: ${text}`)
  return json.id
}

export const TUS = { 'tus-resumable': '1.0.0' }

/** Sends bytes to an upload, from a place on. */
export function patchUpload(
  api: Client,
  id: number,
  offset: number | string,
  body: Buffer | string,
  { as = TOM, headers = {} }: { as?: Person; headers?: Record<string, string> } = {},
): Promise<BytesAnswer> {
  const usual = { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
  return callBytes(api, `/uploads/${id}`, { as, method: 'PATCH', headers: { ...usual, ...headers }, body })
}

/** Uploads a whole file; resolves with its id. */
export async function upload(api: Client, field_id: number, bytes: Buffer | string, sent: Sent = {}): Promise<number> {
  const id = await announce(api, field_id, Buffer.byteLength(bytes), sent)
  if (bytes.length === 0) return id
  const { status, text } = await patchUpload(api, id, 0, bytes, sent.as ? { as: sent.as } : {})
  if (status !== 204) throw new Error(`The file was not taken: ${text}`)
  return id
}

/** An artifact with these files; resolves with its id. */
export async function attach(
  api: Client,
  tracker: MadeTracker,
  ids: readonly number[],
  { as = TOM, field: name = 'papers' }: { as?: Person; field?: string } = {},
): Promise<number> {
  const body = { tracker: { id: tracker.id }, values: [{ field_id: tracker.field(name), value: ids }] }
  const { status, text, json } = await api.post('/artifacts', { as, body })
  if (status !== 201) throw new Error(`The files were not attached: ${text}`)
  return json.id
}

import type { Client, Response } from './client.ts'
import { type MadeTracker, makeArtifact, makeTracker } from './every-field.ts'
import type { Person } from './people.ts'

const CHUNK = 1_048_576
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })

/** A tracker whose artifacts have attachments, `drawings`, and `secrets` that only administrators read. */
export const ATTACHING = {
  format: 'waypost-tracker/1',
  label: 'Repairs',
  item_name: 'repair',
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('attachment', 'file'),
    field('drawings', 'file'),
    field('secrets', 'file', { permissions: { read: ['@admins'], submit: ['@admins'], update: ['@admins'] } }),
    field('shown_only', 'file', { permissions: { read: ['@anonymous'], submit: ['@admins'], update: ['@admins'] } }),
    field('seen_by', 'perm'),
  ],
  semantics: { title: 'summary' },
}

interface Upload {
  readonly name?: string
  readonly content?: Buffer | string
  readonly type?: string
  readonly description?: string
}

/** Somebody uploads a file in chunks, which is then free; resolves with its id. */
export async function upload(
  api: Client,
  as: Person,
  { name = 'core.log', content = 'Hello, Waypost!\n', type = 'text/plain', description = '' }: Upload = {},
): Promise<number> {
  const bytes = Buffer.from(content)
  const chunk = (at: number) => bytes.subarray(at * CHUNK, (at + 1) * CHUNK).toString('base64')
  const first = { name, mimetype: type, content: chunk(0), description }
  const { id } = taken(await api.post('/artifact_temporary_files', { as, body: first })).json
  for (let at = 1; at * CHUNK < bytes.length; at++)
    taken(await api.put(`/artifact_temporary_files/${id}`, { as, body: { content: chunk(at), offset: at + 1 } }))
  return id
}

function taken(answer: Response): Response {
  if (answer.status >= 300) throw new Error(`Refused: ${answer.text}`)
  return answer
}

/** What a tus client announces for a field; resolves with the id. */
export async function announce(api: Client, as: Person, field_id: number, file_size: number): Promise<number> {
  const body = { name: 'announced.bin', file_size, file_type: 'application/octet-stream' }
  return taken(await api.post(`/tracker_fields/${field_id}/files`, { as, body })).json.id
}

/** Reads a file as the contract's clients do: chunk by chunk, until the headers say that it was the last. */
export async function readWhole(api: Client, as: Person | undefined, id: number, limit?: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let offset = 0, more = true; more; ) {
    const path = `/artifact_files/${id}?offset=${offset}${limit === undefined ? '' : `&limit=${limit}`}`
    const { json, headers } = taken(await api.get(path, as && { as }))
    chunks.push(Buffer.from(json.data, 'base64'))
    const size = Number(headers['x-pagination-size'])
    const step = Number(headers['x-pagination-limit'])
    more = offset + step < size
    offset += step
  }
  return Buffer.concat(chunks)
}

export interface Repairs extends MadeTracker {
  /** Mara makes an artifact; resolves with its id. */
  make(values?: object): Promise<number>
  /** The ids of the files that a field shows. */
  files(artifact: number, name?: string, as?: Person): Promise<number[] | undefined>
  put(artifact: number, as: Person, item: object, name?: string): Promise<Response>
}

export async function makeRepairs(api: Client, mara: Person, definition: object = ATTACHING): Promise<Repairs> {
  const tracker = await makeTracker(api, definition)
  return {
    ...tracker,
    make: (values = { summary: 'Pump leaks' }) => makeArtifact(api, tracker, values),
    async files(artifact, name = 'attachment', as = mara) {
      const { json } = await api.get(`/artifacts/${artifact}`, { as })
      return filesIn(json.values, tracker.field(name))
    },
    put: (artifact, as, item, name = 'attachment') =>
      api.put(`/artifacts/${artifact}`, { as, body: { values: [{ field_id: tracker.field(name), ...item }] } }),
  }
}

interface Entry {
  readonly field_id: number
  readonly file_descriptions: readonly { readonly id: number }[]
}

/** Of the values of an artifact or a version. */
export function filesIn(values: readonly Entry[], id: number): number[] | undefined {
  return values.find(({ field_id }) => field_id === id)?.file_descriptions.map((file) => file.id)
}

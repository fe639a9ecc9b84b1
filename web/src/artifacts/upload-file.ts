import { type Failure, readFailure, unreachable } from '@waypost/sdk/answer'
import { api } from '../api.ts'

const CHUNK_BYTES = 1024 * 1024
const TUS = { 'tus-resumable': '1.0.0', accept: 'application/json' }
const RETRY_DELAYS_MS = [500, 2_000, 5_000, 10_000]

export interface Uploading {
  /** Progress from 0 to 1. */
  readonly onProgress: (part: number) => void
  readonly signal: AbortSignal
}

export type Uploaded = { readonly ok: true; readonly id: number } | Failure

/**
 * Uploads a file in chunks by tus. After a broken connection or a closed page it resumes: the server finds the upload
 * by name and size and returns its offset.
 */
export async function uploadFile(fieldId: number, file: File, { onProgress, signal }: Uploading): Promise<Uploaded> {
  const { name, size, type } = file
  const body = { name, file_size: size, file_type: type === '' ? 'application/octet-stream' : type }
  const announced = await api.call('POST /tracker_fields/{id}/files', { path: { id: fieldId }, body, signal })
  if (!announced.ok) return announced
  const { id, upload_href: href } = announced.body
  if (href === null) return { ok: true, id }
  let offset = 0
  for (let failures = 0; ; ) {
    const step = offset === 0 || failures > 0 ? await ask(href, signal) : offset
    if (typeof step === 'number') {
      offset = step
      onProgress(offset / size)
      if (offset >= size) return { ok: true, id }
      const sent = await send(href, file.slice(offset, offset + CHUNK_BYTES), offset, signal)
      if (typeof sent === 'number') {
        offset = sent
        failures = 0
        onProgress(offset / size)
        if (offset >= size) return { ok: true, id }
        continue
      }
      if (!isTransient(sent)) return sent
    } else if (!isTransient(step)) return step
    const pause = RETRY_DELAYS_MS[failures++]
    if (pause === undefined || signal.aborted) return unreachable(new Error('The upload stopped.'))
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** The offset that the server has stored. */
async function ask(href: string, signal: AbortSignal): Promise<number | Failure> {
  return offsetOf(() => fetch(href, { method: 'HEAD', headers: TUS, signal }))
}

async function send(href: string, part: Blob, offset: number, signal: AbortSignal): Promise<number | Failure> {
  const place = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
  return offsetOf(async () => {
    const body = await part.arrayBuffer()
    const headers = { ...TUS, ...place, ...(await digestOf(body)) }
    return fetch(href, { method: 'PATCH', headers, body, signal })
  })
}

/** The digest makes the server refuse corrupted chunks. Without TLS, browsers offer no digests. */
async function digestOf(bytes: ArrayBuffer): Promise<Record<string, string>> {
  if (!globalThis.isSecureContext) return {}
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { 'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:` }
}

async function offsetOf(request: () => Promise<Response>): Promise<number | Failure> {
  try {
    const response = await request()
    if (!response.ok) return readFailure(response.status, response.headers, await response.text())
    return Number(response.headers.get('upload-offset') ?? 0)
  } catch (error) {
    return unreachable(error)
  }
}

/** True if a retry can succeed: a network error, a busy server, or a different offset. */
function isTransient({ status, details }: Failure): boolean {
  return [0, 409, 423, 429, 502, 503, 504].includes(status) || details.cause === 'content_digest'
}

import type { IncomingHttpHeaders } from 'node:http'
import { parseId } from '../../platform/database/ids.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Endpoint, EndpointAnswer, EndpointCall } from '../../platform/http/endpoint.ts'
import { unsupportedType } from '../../platform/wire/media-types.ts'
import { contentDigest } from '../../platform/wire/content-digest.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { appendPieces } from '../append-pieces.ts'
import { type FileId, isWhole, type StoredFile } from '../file.ts'
import { asOnlyWriter } from '../lease.ts'
import { releaseFiles } from '../release-files.ts'
import { sealFile } from '../seal-file.ts'
import { findUpload, lockUpload } from './upload.ts'

const BYTES = 'application/offset+octet-stream'
const VERSION = '1.0.0'

/** Receives the bytes of announced files, by the resumable upload protocol tus 1.0.0. */
export const tusPage: Endpoint = {
  path: '/uploads/:id',
  headers: { 'tus-resumable': VERSION },
  optionsHeaders: { 'tus-version': VERSION, 'tus-extension': 'termination' },
  exposedHeaders: ['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Upload-Offset', 'Upload-Length'],

  checkTypes(method, { 'content-type': type = '', 'content-encoding': encoding }) {
    if (method !== 'PATCH') return
    const isBytes = type.split(';', 1)[0]?.trim().toLowerCase() === BYTES
    if (!isBytes || encoding !== undefined) throw unsupportedType([BYTES])
  },

  async answer(call) {
    const { method, headers, params } = call
    if (headers['tus-resumable'] !== VERSION)
      throw new ApiError('version_mismatch', { cause: 'tus_version', allowed: [VERSION] }).with({
        'tus-version': VERSION,
      })
    const offset = method === 'PATCH' ? readOffset(headers) : 0
    const id = parseId<FileId>(params['id'] ?? '', 'id')
    if (method === 'HEAD') return reportOffset(call, id)
    return method === 'PATCH' ? receive(call, id, offset) : cancel(call, id)
  },
}

async function reportOffset({ context, account }: EndpointCall, id: FileId): Promise<EndpointAnswer> {
  const { received, size } = await findUpload(context.db, context.clock.now(), account, id)
  const headers = { 'upload-offset': String(received), 'upload-length': String(size), 'cache-control': 'no-store' }
  return { status: 200, headers }
}

async function receive(call: EndpointCall, id: FileId, offset: number): Promise<EndpointAnswer> {
  const { context, account, headers, bytes } = call
  const { db, clock } = context
  const check = contentDigest(headers)
  await findUpload(db, clock.now(), account, id)
  const received = await asOnlyWriter(context, id, async (writer) => {
    const upload = await findUpload(db, clock.now(), account, id) // Read again while holding the lease.
    if (upload.received !== offset)
      throw new ApiError('upload_offset_mismatch').with({ 'upload-offset': String(upload.received) })
    assertLengthFits(headers, upload)
    const now = { ...upload, received: await appendPieces(context, upload, bytes, writer, check) }
    if (isWhole(now)) await finish(call, now)
    return now.received
  })
  return { status: 204, headers: { 'upload-offset': String(received) } }
}

/** Refuses a body by its declared length, before receiving it. */
function assertLengthFits(
  { 'content-length': length = '0' }: IncomingHttpHeaders,
  { size, received }: StoredFile,
): void {
  const maximum = size - received
  if (Number(length) > maximum) throw new ApiError('payload_too_large', { allowed: { maximum } })
}

/** Seals after the last byte, so that the client can attach the file at once. Refused content is deleted. */
async function finish(call: EndpointCall, upload: StoredFile): Promise<void> {
  try {
    await sealFile(call.context, upload)
  } catch (error) {
    if (error instanceof ApiError && error.details?.cause === 'file_refused') await cancel(call, upload.id)
    throw error
  }
}

async function cancel({ context, account }: EndpointCall, id: FileId): Promise<EndpointAnswer> {
  await inTransaction(context.db, async (tx) => {
    const upload = await lockUpload(tx, context.clock.now(), account, id)
    await releaseFiles(tx, [upload.id])
  })
  return { status: 204, headers: {} }
}

function readOffset({ 'upload-offset': given }: IncomingHttpHeaders): number {
  const path = 'Upload-Offset'
  if (given === undefined) throw new ApiError('parameter_required', { path, rule: 'required' })
  const offset = Number(given)
  if (!/^\d{1,16}$/.test(String(given)) || !Number.isSafeInteger(offset))
    throw new ApiError('parameter_invalid', { path, rule: 'format' })
  return offset
}

import { Type } from 'typebox'
import { requireActiveProject } from './load-tracker.ts'
import { hiddenError, requireAccount } from '../accounts/auth-errors.ts'
import { sanitizeFileName } from '../files/file-name.ts'
import { downloadUrl } from '../files/represent-file.ts'
import { announceUpload } from '../files/uploads/announce-upload.ts'
import { uploadUrl } from '../files/uploads/upload.ts'
import { idParam, writeRoute } from '../platform/http/route.ts'
import { nullable } from '../platform/wire/nullable.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { fieldTypeOf } from './field-types/field-types.ts'
import { findTrackerElement } from './find-part.ts'
import type { TrackerAccess } from './tracker-access.ts'
import type { Element, FieldId } from './tracker.ts'

/** Starts a resumable upload; the content is sent to `/uploads/:id`. */
export const announceFile = writeRoute({
  method: 'POST',
  path: '/tracker_fields/:id/files',
  operationId: 'announceFile',
  summary: 'Announce a file for a field; then upload it in any number of parts (tus 1.0.0) to `upload_href`.',
  description:
    'Reserves an upload for a file field and answers the address to which the bytes go. Everyone who may write the field. Files over the limit or over the quota of the account are refused.',
  access: 'signed_in',
  action: null,
  params: { id: idParam<FieldId>('The field.') },
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    file_size: Type.Integer({ minimum: 0, description: 'In bytes; at most `max_size_upload` of the field.' }),
    file_type: Type.Optional(Type.String({ maxLength: 255, description: 'The media type; for display only.' })),
    description: Type.Optional(Type.String({ maxLength: 65_535 })),
  }),
  answer: Type.Object({
    id: Type.Integer({ description: 'The id to use in the value of the field after the upload is complete.' }),
    download_href: Type.String({ description: 'The address of the file; visible to you only until it is attached.' }),
    upload_href: nullable(
      Type.String({ description: 'The upload address, valid for 4 hours; null for an empty file.' }),
    ),
  }),
  dryRun: { omits: ['id', 'download_href', 'upload_href'] },
  async handle({ context, viewer, params, body }, work) {
    const { file_size: size, file_type: media_type = 'application/octet-stream', description = '' } = body
    const { upload_limit: maximum } = context.settings.current
    if (size > maximum)
      throw new ApiError('parameter_out_of_range', { path: 'file_size', rule: 'maximum', allowed: { maximum } })
    const name = sanitizeFileName(body.name)

    const { access, element } = await findTrackerElement(context, work.tx, viewer, params.id)
    requireMayFill(access, element)
    requireActiveProject(access.tracker)

    const announced = { field_id: element.id, name, media_type, description, size }
    const { file, isNew } = await announceUpload(work.tx, context, requireAccount(viewer), announced)
    if (isNew) await work.change({ object: 'artifact_files', op: 'create', before: null, after: announced })
    const upload_href = size === 0 ? null : uploadUrl(file)
    return { body: { id: file.id, download_href: downloadUrl(file), upload_href } }
  },
})

function requireMayFill({ viewer, mayRead, maySubmit, mayUpdate }: TrackerAccess, element: Element): void {
  const mayFill = maySubmit(element) || mayUpdate(element)
  if (!mayFill && !mayRead(element)) throw hiddenError(viewer)
  if (!fieldTypeOf(element).files || !element.is_used) throw new ApiError('rule_violated', { cause: 'field_not_file' })
  if (!mayFill) throw new ApiError('permission_denied', { cause: 'field_not_updatable' })
}

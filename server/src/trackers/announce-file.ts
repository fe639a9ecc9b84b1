import { Type } from 'typebox'
import { hiddenFrom, requireAccount } from '../accounts/refusals.ts'
import { cleanName } from '../files/file-name.ts'
import { downloadUrl } from '../files/represent-file.ts'
import { announceUpload } from '../files/uploads/announce-upload.ts'
import { uploadUrl } from '../files/uploads/upload.ts'
import { idParam, writeRoute } from '../platform/http/route.ts'
import { nullable } from '../platform/wire/nullable.ts'
import { ApiError } from '../platform/words/errors.ts'
import { findElement } from './find-part.ts'
import { requireActiveProject } from './find-tracker.ts'
import type { Sight } from './sight.ts'
import type { Element, FieldId } from './tracker.ts'

/** Begins an upload that goes on elsewhere (`/uploads/78`), as long as it takes. */
export const announceFile = writeRoute({
  method: 'POST',
  path: '/tracker_fields/:id/files',
  operationId: 'announceFile',
  summary: 'Announce a file for a field, to upload it in as many parts as it takes (tus 1.0.0) at `upload_href`.',
  access: 'signed_in',
  action: null,
  params: { id: idParam<FieldId>('The field.') },
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    file_size: Type.Integer({ minimum: 0, description: 'In bytes; at most `max_size_upload` of the field.' }),
    file_type: Type.Optional(Type.String({ maxLength: 255, description: 'The media type; only ever shown.' })),
    description: Type.Optional(Type.String({ maxLength: 65_535 })),
  }),
  answer: Type.Object({
    id: Type.Integer({ description: 'For the value of the field, once the last byte has come.' }),
    download_href: Type.String({ description: 'Where it will be; for you alone until it is attached.' }),
    upload_href: nullable(Type.String({ description: 'Where to send it, within 4 hours; null: it is empty.' })),
  }),
  givenByWrite: ['id', 'download_href', 'upload_href'],
  async handle({ context, viewer, params, body }, work) {
    const { file_size: size, file_type: media_type = 'application/octet-stream', description = '' } = body
    const { upload_limit: maximum } = context.settings.current
    if (size > maximum)
      throw new ApiError('parameter_out_of_range', { path: 'file_size', rule: 'maximum', allowed: { maximum } })
    const name = cleanName(body.name)

    const { sight, element } = await findElement(context, work.tx, viewer, params.id)
    requireMayFill(sight, element)
    requireActiveProject(sight.tracker)

    const announced = { field_id: element.id, name, media_type, description, size }
    const { file, isNew } = await announceUpload(work.tx, context, requireAccount(viewer), announced)
    if (isNew) await work.change({ object: 'artifact_files', op: 'create', before: null, after: announced })
    const upload_href = size === 0 ? null : uploadUrl(file)
    return { body: { id: file.id, download_href: downloadUrl(file), upload_href } }
  },
})

function requireMayFill({ viewer, mayRead, maySubmit, mayUpdate }: Sight, element: Element): void {
  const mayFill = maySubmit(element) || mayUpdate(element)
  if (!mayFill && !mayRead(element)) throw hiddenFrom(viewer)
  if (element.type !== 'file' || !element.is_used) throw new ApiError('rule_violated', { cause: 'field_not_file' })
  if (!mayFill) throw new ApiError('permission_denied', { cause: 'field_not_updatable' })
}

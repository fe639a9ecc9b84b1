import { type Static, Type } from 'typebox'
import { isId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { ArtifactId } from '../artifact.ts'
import { requireNewSource } from '../create-artifact.ts'
import { requireValuesSource } from '../update-artifact/update-artifact.ts'
import { ArtifactValues } from '../update-artifact/schemas.ts'

export const ArtifactLine = Type.Object(
  {
    op: Type.Enum(['create', 'update']),
    id: Type.Optional(Type.Integer({ description: 'The artifact to update; absent for a creation.' })),
    if_match: Type.Optional(Type.String({ description: 'Like the header `If-Match`, for an update.' })),
    ...ArtifactValues,
  },
  { additionalProperties: false, title: 'BulkLine' },
)
export type ArtifactLine = Static<typeof ArtifactLine>

export interface ArtifactCreation {
  readonly op: 'create'
  readonly input: ArtifactValues
}

export interface ArtifactUpdate {
  readonly op: 'update'
  readonly id: ArtifactId
  readonly input: ArtifactValues
  readonly precondition: { readonly 'if-match'?: string }
}

/** Validates a line as far as that is possible without the stored artifact. */
export function readLine(line: ArtifactLine): ArtifactCreation | ArtifactUpdate {
  const { op, id, if_match, ...input } = line
  if (op === 'create') {
    for (const path of ['id', 'if_match'] as const)
      if (line[path] !== undefined) throw new ApiError('parameter_conflict', { path })
    requireNewSource(input)
    return { op, input }
  }
  if (id === undefined) throw new ApiError('parameter_required', { path: 'id', rule: 'required' })
  requireValuesSource(input)
  if (!isId<ArtifactId>(id)) throw new ApiError('not_found')
  return { op, id, input, precondition: if_match === undefined ? {} : { 'if-match': if_match } }
}

import { type Static, Type } from 'typebox'
import { isId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { ArtifactId } from '../artifact.ts'
import { requireNewSource } from '../create-artifact.ts'
import { requireSource } from '../update-artifact.ts'
import { ArtifactValues } from '../writing/schemas.ts'

export const Line = Type.Object(
  {
    op: Type.Enum(['create', 'update']),
    id: Type.Optional(Type.Integer({ description: 'Of what is updated; what is created has none.' })),
    if_match: Type.Optional(Type.String({ description: 'As the header `If-Match`, for an update.' })),
    ...ArtifactValues,
  },
  { additionalProperties: false, title: 'BulkLine' },
)
export type Line = Static<typeof Line>

export interface Creation {
  readonly op: 'create'
  readonly input: ArtifactValues
}

export interface Update {
  readonly op: 'update'
  readonly id: ArtifactId
  readonly input: ArtifactValues
  readonly precondition: { readonly 'if-match'?: string }
}

/** What a line asks for, as far as no stored artifact can change that. */
export function readLine(line: Line): Creation | Update {
  const { op, id, if_match, ...input } = line
  if (op === 'create') {
    for (const path of ['id', 'if_match'] as const)
      if (line[path] !== undefined) throw new ApiError('parameter_conflict', { path })
    requireNewSource(input)
    return { op, input }
  }
  if (id === undefined) throw new ApiError('parameter_required', { path: 'id', rule: 'required' })
  requireSource(input)
  if (!isId<ArtifactId>(id)) throw new ApiError('not_found')
  return { op, id, input, precondition: if_match === undefined ? {} : { 'if-match': if_match } }
}

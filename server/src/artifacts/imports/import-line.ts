import { type Static, Type } from 'typebox'
import { ValueItem, ValuesByField, NewComment } from '../update-artifact/schemas.ts'

const MAX_VERSIONS = 10_000

export const ImportedVersion = Type.Object(
  {
    author: Type.Union([Type.Integer(), Type.String()], { description: 'The id or the login of an account.' }),
    time: Type.String({ description: 'Later than the version before, and not in the future.' }),
    values: Type.Optional(Type.Array(ValueItem, { cause: 'values_not_array' })),
    values_by_field: Type.Optional(ValuesByField),
    comment: Type.Optional(Type.Union([NewComment, Type.Null()])),
  },
  { additionalProperties: false, title: 'ImportedVersion' },
)
export type ImportedVersion = Static<typeof ImportedVersion>

export const ImportLine = Type.Object(
  {
    source_key: Type.String({
      pattern: '^[^\\s/]{1,255}$',
      description:
        'The key in the source, without spaces and slashes. A key that the import has already is not created again.',
      examples: ['ABC-123'],
    }),
    tracker: Type.Object({ id: Type.Integer() }, { absent: 'tracker_missing', additionalProperties: false }),
    id: Type.Optional(Type.Integer({ minimum: 1, description: 'The id of the artifact, if it is free.' })),
    versions: Type.Array(ImportedVersion, {
      minItems: 1,
      maxItems: MAX_VERSIONS,
      description: 'The history, oldest first. Values that a version does not name stay as they are.',
    }),
  },
  { additionalProperties: false, title: 'ImportLine' },
)
export type ImportLine = Static<typeof ImportLine>

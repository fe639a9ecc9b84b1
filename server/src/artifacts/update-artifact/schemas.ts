import { type Static, Type } from 'typebox'
import { describeValueItem } from '../../trackers/field-types/value-schemas.ts'
import { ApiError } from '../../platform/messages/errors.ts'

// Accepts any value, so that a wrong one is reported as an error of its field. In XML it marks the member as a list,
// because an empty list has no elements.
const List = Type.Union([Type.Array(Type.Unknown()), Type.Unknown()])

/** One value. Members next to `field_id` depend on the field type, and unknown ones are ignored. */
export const ValueItem = Type.Object(
  {
    field_id: Type.Integer({ cause: 'field_id_not_integer' }),
    value: Type.Optional(Type.Unknown()),
    bind_value_ids: Type.Optional(List),
    links: Type.Optional(List),
    all_links: Type.Optional(List),
    parent: Type.Optional(Type.Unknown()),
    is_autocomputed: Type.Optional(Type.Unknown()),
    manual_value: Type.Optional(Type.Unknown()),
    add: Type.Optional(List),
    remove: Type.Optional(List),
  },
  { additionalProperties: Type.Unknown(), cause: 'values_not_array', describedAs: describeValueItem() },
)
export type ValueItem = Static<typeof ValueItem>

export const ValuesByField = Type.Record(Type.String(), Type.Unknown(), {
  description: 'By field name: `{"value": …}`, or the bare value. Lists accept labels, people fields accept logins.',
})

export const NewComment = Type.Object(
  {
    body: Type.String({ description: 'At most 65,535 bytes.' }),
    format: Type.Optional(
      Type.Unknown({ description: '`text`, `html` or `commonmark`; anything else is commonmark.' }),
    ),
    ugroups: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The only groups that may read it, if the tracker has private comments.',
      }),
    ),
  },
  { title: 'NewComment' },
)
export type NewComment = Static<typeof NewComment>

export const ArtifactValues = {
  values: Type.Optional(Type.Array(ValueItem, { cause: 'values_not_array' })),
  values_by_field: Type.Optional(ValuesByField),
  comment: Type.Optional(Type.Union([NewComment, Type.Null()])),
}
export interface ArtifactValues {
  values?: ValueItem[]
  values_by_field?: Record<string, unknown>
  comment?: NewComment | null
}

const LONGEST_COMMENT = 65_535

/** Checks of a comment that do not depend on the stored artifact. */
export function requireCommentLength(comment: NewComment | null | undefined): void {
  if (!comment || Buffer.byteLength(comment.body) <= LONGEST_COMMENT) return
  throw new ApiError('parameter_out_of_range', {
    path: 'comment.body',
    rule: 'max_length',
    cause: 'comment_too_long',
    allowed: { maximum: LONGEST_COMMENT },
  })
}

import { type Static, Type } from 'typebox'
import { ApiError } from '../../platform/words/errors.ts'

// Anything else is told as a fault of its field. In XML, where an empty list has no elements, this says that it is one.
const List = Type.Union([Type.Array(Type.Unknown()), Type.Unknown()])

/** One value. What stands beside `field_id` depends on the type of the field, and unknown members do no harm. */
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
  { additionalProperties: Type.Unknown(), title: 'ValueItem', cause: 'values_not_array' },
)
export type ValueItem = Static<typeof ValueItem>

export const ValuesByField = Type.Record(Type.String(), Type.Unknown(), {
  description: 'By the name of the field: `{"value": …}`, or the bare value. Lists take labels, people logins.',
})

export const NewComment = Type.Object(
  {
    body: Type.String({ description: 'At most 65,535 bytes.' }),
    format: Type.Optional(
      Type.Unknown({ description: '`text`, `html` or `commonmark`; anything else is commonmark.' }),
    ),
    ugroups: Type.Optional(
      Type.Array(Type.String(), { description: 'The groups that alone may read it, where the tracker has that.' }),
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

/** What no stored artifact could change about a comment. */
export function requireCommentLength(comment: NewComment | null | undefined): void {
  if (!comment || Buffer.byteLength(comment.body) <= LONGEST_COMMENT) return
  throw new ApiError('parameter_out_of_range', {
    path: 'comment.body',
    rule: 'max_length',
    cause: 'comment_too_long',
    allowed: { maximum: LONGEST_COMMENT },
  })
}

import { type Static, Type } from 'typebox'
import { describeValueItem, valueItemNames } from '../../trackers/field-types/value-schemas.ts'
import { ApiError } from '../../platform/messages/errors.ts'

const NAMES = valueItemNames()
const SHOWN = Object.keys(NAMES.members).filter((name) => NAMES.members[name]?.isIgnored)

/** Any value, so that a wrong one is reported as an error of its field; only names of members are limited. */
const anyValue = (name: string) => Type.Unknown({ names: NAMES.members[name] ?? { members: {} } })

/** In XML it marks the member as a list, because an empty list has no elements. */
const anyList = (name: string) => Type.Union([Type.Array(anyValue(name)), anyValue(name)])

/** One value. Members next to `field_id` depend on the field type; those that responses show may be sent back. */
export const ValueItem = Type.Object(
  {
    field_id: Type.Integer({ cause: 'field_id_not_integer' }),
    value: Type.Optional(anyValue('value')),
    bind_value_ids: Type.Optional(anyList('bind_value_ids')),
    links: Type.Optional(anyList('links')),
    all_links: Type.Optional(anyList('all_links')),
    parent: Type.Optional(anyValue('parent')),
    is_autocomputed: Type.Optional(anyValue('is_autocomputed')),
    manual_value: Type.Optional(anyValue('manual_value')),
    add: Type.Optional(anyList('add')),
    remove: Type.Optional(anyList('remove')),
    ...Object.fromEntries(SHOWN.map((name) => [name, Type.Optional(anyValue(name))])),
  },
  { additionalProperties: false, cause: 'values_not_array', describedAs: describeValueItem(), shown: SHOWN },
)
export type ValueItem = Static<typeof ValueItem>

export const ValuesByField = Type.Record(Type.String(), Type.Unknown({ names: valueItemNames({ byName: true }) }), {
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
export function requireCommentLength(comment: NewComment | null | undefined, path = 'comment.body'): void {
  if (!comment || Buffer.byteLength(comment.body) <= LONGEST_COMMENT) return
  throw new ApiError('parameter_out_of_range', {
    path,
    rule: 'max_length',
    cause: 'comment_too_long',
    allowed: { maximum: LONGEST_COMMENT },
  })
}

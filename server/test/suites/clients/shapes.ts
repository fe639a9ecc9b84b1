import { Type } from 'typebox'

/** Parts of responses that several clients parse alike. */

export const SIZE_HEADER = { 'X-PAGINATION-SIZE': /^\d+$/ }
export const PAGE_HEADERS = { ...SIZE_HEADER, 'X-PAGINATION-LIMIT-MAX': /^\d+$/ }
/** No fractions, no Z: two clients slice these by position. */
export const MomentShape = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$` })
export const TextShape = Type.String()
export const TextOrNullShape = Type.Union([Type.String(), Type.Null()])
export const IntegerShape = Type.Integer()

export const UserShape = Type.Object({
  id: IntegerShape,
  uri: Type.String({ pattern: String.raw`users/\d+` }),
  username: TextShape,
})
export const ProjectShape = Type.Object({ id: IntegerShape, uri: TextShape, label: TextShape, shortname: TextShape })
export const TrackerShape = Type.Object({
  id: IntegerShape,
  uri: TextShape,
  label: TextShape,
  item_name: TextShape,
  description: TextShape,
  color_name: TextShape,
})
const FieldValue = Type.Object({ id: Type.Union([IntegerShape, TextShape]), label: TextShape })
const Field = Type.Object({
  field_id: IntegerShape,
  name: TextShape,
  label: TextShape,
  type: TextShape,
  required: Type.Boolean(),
  values: Type.Union([Type.Array(FieldValue), Type.Null(), Type.Object({})]),
})
export const TrackerStructureShape = Type.Object({
  id: IntegerShape,
  fields: Type.Array(Field, { minItems: 1 }),
  semantics: Type.Object({
    title: Type.Object({ field_id: IntegerShape }),
    description: Type.Object({ field_id: IntegerShape }),
    status: Type.Object({ field_id: IntegerShape, value_ids: Type.Array(IntegerShape, { minItems: 1 }) }),
  }),
})
export const ArtifactShape = Type.Object({
  id: IntegerShape,
  uri: TextShape,
  xref: TextShape,
  project: Type.Object({ id: IntegerShape }),
  tracker: Type.Object({ id: IntegerShape }),
  title: TextOrNullShape,
  status: TextOrNullShape,
  html_url: TextOrNullShape,
  submitted_by: Type.Union([IntegerShape, Type.Null()]),
  submitted_on: MomentShape,
  last_modified_date: MomentShape,
})
const Linked = Type.Object({ id: IntegerShape, type: TextOrNullShape })

/** By type: the members of a value that the clients parse. */
const VALUES = {
  string: Type.Object({ value: TextShape }),
  text: Type.Object({ value: TextShape }),
  int: Type.Object({ value: IntegerShape }),
  float: Type.Object({ value: Type.Number() }),
  date: Type.Object({ value: MomentShape }),
  subon: Type.Object({ value: MomentShape }),
  lud: Type.Object({ value: MomentShape }),
  aid: Type.Object({ value: IntegerShape }),
  subby: Type.Object({ value: Type.Object({ display_name: TextShape, username: TextShape }) }),
  luby: Type.Object({ value: Type.Object({ display_name: TextShape }) }),
  sb: Type.Object({
    values: Type.Array(Type.Object({ id: Type.Union([IntegerShape, TextShape]), label: TextShape }), { minItems: 1 }),
  }),
  rb: Type.Object({ values: Type.Array(Type.Object({ label: TextShape }), { minItems: 1 }) }),
  cb: Type.Object({ values: Type.Array(Type.Object({ label: TextShape }), { minItems: 1 }) }),
  msb: Type.Object({ values: Type.Array(Type.Object({ display_name: TextShape }), { minItems: 1 }) }),
  tbl: Type.Object({ bind_value_objects: Type.Array(Type.Object({ display_name: TextShape }), { minItems: 1 }) }),
  file: Type.Object({
    file_descriptions: Type.Array(Type.Object({ id: IntegerShape, name: TextShape, html_url: TextShape })),
  }),
  art_link: Type.Object({ links: Type.Array(Linked), reverse_links: Type.Array(Linked) }),
  cross: Type.Object({ value: Type.Array(Type.Object({ ref: TextShape, direction: TextShape })) }),
}

export const ArtifactWithValuesShape = Type.Intersect([
  ArtifactShape,
  Type.Object({
    values: Type.Array(
      Type.Intersect([
        Type.Object({ field_id: IntegerShape, label: TextShape }),
        Type.Union(
          Object.entries(VALUES).map(([type, members]) =>
            Type.Intersect([Type.Object({ type: Type.Literal(type) }), members]),
          ),
        ),
      ]),
      { minItems: 5 },
    ),
  }),
])
export const ChangesetsShape = Type.Array(
  Type.Object({
    id: IntegerShape,
    submitted_on: MomentShape,
    submitted_by_details: Type.Object({ display_name: TextShape }),
    last_comment: Type.Object({ body: TextShape }),
  }),
  { minItems: 1 },
)
export const LinkedArtifactsShape = Type.Object({
  collection: Type.Array(Type.Object({ id: IntegerShape, uri: TextShape })),
})
export const RepositoriesShape = Type.Object({
  repositories: Type.Array(Type.Object({ id: IntegerShape, name: TextShape })),
})
export const CreatedShape = Type.Object({ id: IntegerShape })
export const ErrorShape = Type.Object({
  error: Type.Object({ code: IntegerShape, message: TextShape, i18n_error_message: TextShape }),
})

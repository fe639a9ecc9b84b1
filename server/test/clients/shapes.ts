import { Type } from 'typebox'

/** Parts of answers that several clients read alike. */

export const SIZE = { 'X-PAGINATION-SIZE': /^\d+$/ }
export const PAGES = { ...SIZE, 'X-PAGINATION-LIMIT-MAX': /^\d+$/ }
/** No fractions, no Z: two clients cut these by position. */
export const Moment = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$` })
export const Text = Type.String()
export const TextOrNull = Type.Union([Type.String(), Type.Null()])
export const Whole = Type.Integer()

export const User = Type.Object({ id: Whole, uri: Type.String({ pattern: String.raw`users/\d+` }), username: Text })
export const Project = Type.Object({ id: Whole, uri: Text, label: Text, shortname: Text })
export const Tracker = Type.Object({
  id: Whole,
  uri: Text,
  label: Text,
  item_name: Text,
  description: Text,
  color_name: Text,
})
const FieldValue = Type.Object({ id: Type.Union([Whole, Text]), label: Text })
const Field = Type.Object({
  field_id: Whole,
  name: Text,
  label: Text,
  type: Text,
  required: Type.Boolean(),
  values: Type.Union([Type.Array(FieldValue), Type.Null(), Type.Object({})]),
})
export const TrackerStructure = Type.Object({
  id: Whole,
  fields: Type.Array(Field, { minItems: 1 }),
  semantics: Type.Object({
    title: Type.Object({ field_id: Whole }),
    description: Type.Object({ field_id: Whole }),
    status: Type.Object({ field_id: Whole, value_ids: Type.Array(Whole, { minItems: 1 }) }),
  }),
})
export const Artifact = Type.Object({
  id: Whole,
  uri: Text,
  xref: Text,
  project: Type.Object({ id: Whole }),
  tracker: Type.Object({ id: Whole }),
  title: TextOrNull,
  status: TextOrNull,
  html_url: TextOrNull,
  submitted_by: Type.Union([Whole, Type.Null()]),
  submitted_on: Moment,
  last_modified_date: Moment,
})
const Linked = Type.Object({ id: Whole, type: TextOrNull })

/** By type: the members of a value that the parsers of the clients read. */
const VALUES = {
  string: Type.Object({ value: Text }),
  text: Type.Object({ value: Text }),
  int: Type.Object({ value: Whole }),
  float: Type.Object({ value: Type.Number() }),
  date: Type.Object({ value: Moment }),
  subon: Type.Object({ value: Moment }),
  lud: Type.Object({ value: Moment }),
  aid: Type.Object({ value: Whole }),
  subby: Type.Object({ value: Type.Object({ display_name: Text, username: Text }) }),
  luby: Type.Object({ value: Type.Object({ display_name: Text }) }),
  sb: Type.Object({ values: Type.Array(Type.Object({ id: Type.Union([Whole, Text]), label: Text }), { minItems: 1 }) }),
  rb: Type.Object({ values: Type.Array(Type.Object({ label: Text }), { minItems: 1 }) }),
  cb: Type.Object({ values: Type.Array(Type.Object({ label: Text }), { minItems: 1 }) }),
  msb: Type.Object({ values: Type.Array(Type.Object({ display_name: Text }), { minItems: 1 }) }),
  tbl: Type.Object({ bind_value_objects: Type.Array(Type.Object({ display_name: Text }), { minItems: 1 }) }),
  file: Type.Object({ file_descriptions: Type.Array(Type.Object({ id: Whole, name: Text, html_url: Text })) }),
  art_link: Type.Object({ links: Type.Array(Linked), reverse_links: Type.Array(Linked) }),
  cross: Type.Object({ value: Type.Array(Type.Object({ ref: Text, direction: Text })) }),
}

export const ArtifactWithValues = Type.Intersect([
  Artifact,
  Type.Object({
    values: Type.Array(
      Type.Intersect([
        Type.Object({ field_id: Whole, label: Text }),
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
export const Changesets = Type.Array(
  Type.Object({
    id: Whole,
    submitted_on: Moment,
    submitted_by_details: Type.Object({ display_name: Text }),
    last_comment: Type.Object({ body: Text }),
  }),
  { minItems: 1 },
)
export const LinkedArtifacts = Type.Object({ collection: Type.Array(Type.Object({ id: Whole, uri: Text })) })
export const Repositories = Type.Object({ repositories: Type.Array(Type.Object({ id: Whole, name: Text })) })
export const Made = Type.Object({ id: Whole })
export const Refusal = Type.Object({
  error: Type.Object({ code: Whole, message: Text, i18n_error_message: Text }),
})

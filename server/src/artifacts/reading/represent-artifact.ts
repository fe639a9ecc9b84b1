import { type Static, Type } from 'typebox'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { anonymousUser, representUserMinimal } from '../../accounts/users/user.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { truncatedMember } from '../../platform/wire/max-bytes.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Reading } from '../../trackers/fields/field-type.ts'
import { minimalOf, projectReferenceOf } from '../../trackers/represent-tracker.ts'
import { ProjectReference, TrackerFull, TrackerOfArtifact } from '../../trackers/schemas.ts'
import type { Element, ListValueId } from '../../trackers/tracker.ts'
import { titleOf } from './title.ts'
import type { FoundArtifact } from './find-artifact.ts'
import { type Audience, readingOf } from './reading.ts'

export const Value = Type.Object(
  { field_id: Type.Integer(), type: Type.String(), label: Type.String() },
  { additionalProperties: Type.Unknown(), title: 'Value', description: 'Further members follow from the type.' },
)

export const ArtifactRepresentation = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    xref: Type.String(),
    tracker: Type.Union([TrackerOfArtifact, TrackerFull]),
    project: ProjectReference,
    submitted_by: nullable(Type.Integer()),
    submitted_by_user: UserMinimal,
    submitted_on: Type.String(),
    html_url: Type.String(),
    changesets_uri: Type.String(),
    values: nullable(Type.Array(Value)),
    values_by_field: nullable(Type.Record(Type.String(), nullable(Value))),
    last_update_by: nullable(Type.Integer()),
    last_update_by_user: UserMinimal,
    last_modified_date: Type.String(),
    status: Type.String(),
    full_status: nullable(Type.Object({ value: Type.String(), color: nullable(Type.String()) })),
    is_open: Type.Boolean(),
    title: nullable(Type.String()),
    assignees: Type.Array(UserMinimal),
    version: Type.Optional(Type.Integer({ description: 'Of a past state: its number.' })),
    as_of: Type.Optional(Type.String()),
    is_current: Type.Optional(Type.Boolean()),
    ...truncatedMember,
  },
  { title: 'Artifact' },
)
export type ArtifactRepresentation = Static<typeof ArtifactRepresentation>
export type Value = Static<typeof Value>
type ValueJson = Value

type ValuesFormat = 'none' | 'collection' | 'by_field' | 'all'

interface Form {
  readonly values: ValuesFormat
  /** `by_field` lists the alphanumeric types, unless every one is asked for. */
  readonly everyType?: boolean
  /** The fields whose values are collected; absent: all. */
  readonly fields?: readonly Element[] | undefined
}

/** An artifact as answers show it, cut to what the viewer may read. */
export async function representArtifact(
  audience: Audience,
  found: FoundArtifact,
  form: Form,
): Promise<ArtifactRepresentation> {
  return represent(audience, found, form, form.values === 'none' ? undefined : await readingOf(audience, found))
}

/** Without a reading it shows no values. */
export function represent(
  audience: Audience,
  found: FoundArtifact,
  { values, everyType = false, fields }: Form,
  reading: Reading | undefined,
): ArtifactRepresentation {
  const { artifact, sight } = found
  const { tracker } = sight
  const { id } = artifact
  const status = statusOf(found)
  const user = (account: AccountId | null) => minimalUser(audience, found, account)
  return {
    id,
    uri: `artifacts/${id}`,
    xref: `${tracker.item_name} #${id}`,
    tracker: minimalOf(tracker, null),
    project: projectReferenceOf(tracker),
    submitted_by: artifact.submitted_by,
    submitted_by_user: user(artifact.submitted_by),
    submitted_on: apiDate(artifact.submitted_on),
    html_url: `/artifacts/${id}`,
    changesets_uri: `artifacts/${id}/changesets`,
    values: reading && (values === 'collection' || values === 'all') ? collect(found, reading, fields) : null,
    values_by_field:
      reading && (values === 'by_field' || values === 'all') ? collectByField(found, reading, everyType) : null,
    last_update_by: artifact.last_update_by,
    last_update_by_user: user(artifact.last_update_by),
    last_modified_date: apiDate(artifact.last_modified_date),
    status: status?.label ?? '',
    full_status: status && { value: status.label, color: status.color },
    is_open: tracker.semantics.status === null || status?.isOpen === true,
    title: titleOf(found),
    assignees: assigneesOf(found).map(user),
  }
}

/** The values that are there and may be read, in the order of the form. */
export function collect(
  { sight, artifact }: Pick<FoundArtifact, 'sight' | 'artifact'>,
  reading: Reading,
  fields: readonly Element[] = sight.readable,
): ValueJson[] {
  return fields.flatMap((element) => {
    const shown = readValue(element, artifact.field_values[String(element.id)], reading)
    return shown ? [shown] : []
  })
}

export function readValue(element: Element, stored: unknown, reading: Reading): ValueJson | undefined {
  const shown = fieldTypeOf(element).read?.(stored, element, reading)
  return shown && { field_id: element.id, type: element.type, label: element.label, ...shown }
}

function collectByField({ sight, artifact }: FoundArtifact, reading: Reading, everyType: boolean) {
  const listed = sight.readable.filter((element) => {
    const type = fieldTypeOf(element)
    return type.kind === 'field' && (everyType || type.isAlphanumeric)
  })
  return Object.fromEntries(
    listed.map((element) => [
      element.name,
      readValue(element, artifact.field_values[String(element.id)], reading) ?? null,
    ]),
  )
}

/** The status value that the viewer may read; null: there is none. */
export function statusOf({ artifact, sight }: Pick<FoundArtifact, 'artifact' | 'sight'>) {
  const { status } = sight.tracker.semantics
  const field = status && sight.tracker.byId.get(status.field_id)
  if (!status || !field || !sight.mayRead(field) || field.bind?.type !== 'static') return null
  const [id] = idsIn(artifact.field_values[String(field.id)])
  const value = field.bind.values.find((each) => each.id === id)
  return value ? { label: value.label, color: value.color, isOpen: status.open.includes(value.id) } : null
}

function assigneesOf({ artifact, sight }: FoundArtifact): AccountId[] {
  const { contributor } = sight.tracker.semantics
  const field = contributor === null ? undefined : sight.tracker.byId.get(contributor)
  if (!field || !sight.mayRead(field)) return []
  return [...(fieldTypeOf(field).people?.(artifact.field_values[String(field.id)], field) ?? [])]
}

function idsIn(stored: unknown): ListValueId[] {
  return Array.isArray(stored) ? stored : []
}

function minimalUser({ context, language }: Audience, { people }: Pick<FoundArtifact, 'people'>, id: AccountId | null) {
  const row = people.find((each) => each.id === id)
  return row ? representUserMinimal(context, row) : anonymousUser(context, language)
}

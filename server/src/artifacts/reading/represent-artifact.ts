import { type Static, Type } from 'typebox'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { anonymousUser, representUserMinimal } from '../../accounts/users/user.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { truncatedMember } from '../../platform/wire/max-bytes.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { Resources, resourcesBelow } from '../../platform/wire/resources.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { describeValue, VALUE_MEMBERS } from '../../trackers/field-types/value-schemas.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import { minimalOf, projectReferenceOf } from '../../trackers/represent-tracker.ts'
import { ProjectReference, TrackerFull, TrackerOfArtifact } from '../../trackers/schemas.ts'
import type { Element, ListValueId } from '../../trackers/tracker.ts'
import { readableTitle } from './title.ts'
import type { FoundArtifact } from './find-artifact.ts'
import { buildReadContext } from './read-context.ts'
import type { Audience } from './audience.ts'

// Field types make the further members, so responses are not cut to the schemas of the single types.
export const RepresentedValue = Type.Object(VALUE_MEMBERS, {
  additionalProperties: Type.Unknown(),
  describedAs: describeValue(),
})

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
    values: nullable(Type.Array(RepresentedValue)),
    values_by_field: nullable(Type.Record(Type.String(), nullable(RepresentedValue))),
    last_update_by: nullable(Type.Integer()),
    last_update_by_user: UserMinimal,
    last_modified_date: Type.String(),
    status: Type.String(),
    full_status: nullable(Type.Object({ value: Type.String(), color: nullable(Type.String()) })),
    is_open: Type.Boolean(),
    title: nullable(Type.String()),
    assignees: Type.Array(UserMinimal),
    version: Type.Optional(Type.Integer({ description: 'The version number of a past state.' })),
    as_of: Type.Optional(Type.String()),
    is_current: Type.Optional(Type.Boolean()),
    resources: Type.Optional(Resources),
    ...truncatedMember,
  },
  { title: 'Artifact' },
)
export type ArtifactRepresentation = Static<typeof ArtifactRepresentation>
export type RepresentedValue = Static<typeof RepresentedValue>
type ValueJson = RepresentedValue

type ValuesFormat = 'none' | 'collection' | 'by_field' | 'all'

interface Form {
  readonly values: ValuesFormat
  /** `by_field` lists the alphanumeric types, unless all types are requested. */
  readonly everyType?: boolean
  /** The fields to represent; absent for all. */
  readonly fields?: readonly Element[] | undefined
}

/** The representation of an artifact, limited to what the viewer may read. */
export async function representArtifact(
  audience: Audience,
  found: FoundArtifact,
  form: Form,
): Promise<ArtifactRepresentation> {
  const reading = form.values === 'none' ? undefined : await buildReadContext(audience, found)
  return withResources(audience, represent(audience, found, form, reading))
}

/** Single artifacts name what is below them; in lists, the `uri` of each leads there. */
export function withResources({ viewer }: Audience, shown: ArtifactRepresentation): ArtifactRepresentation {
  const below = viewer.account_id === undefined ? BELOW : [...BELOW, 'watch']
  return { ...shown, resources: resourcesBelow(shown.uri, below) }
}

const BELOW = ['changesets', 'links', 'watchers', 'rank_changes']

/** Without a read context no values are shown. */
export function represent(
  audience: Audience,
  found: FoundArtifact,
  { values, everyType = false, fields }: Form,
  reading: ReadContext | undefined,
): ArtifactRepresentation {
  const { artifact, access } = found
  const { tracker } = access
  const { id } = artifact
  const status = readableStatus(found)
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
    values: reading && (values === 'collection' || values === 'all') ? collectValues(found, reading, fields) : null,
    values_by_field:
      reading && (values === 'by_field' || values === 'all') ? collectByField(found, reading, everyType) : null,
    last_update_by: artifact.last_update_by,
    last_update_by_user: user(artifact.last_update_by),
    last_modified_date: apiDate(artifact.last_modified_date),
    status: status?.label ?? '',
    full_status: status && { value: status.label, color: status.color },
    is_open: tracker.semantics.status === null || status?.isOpen === true,
    title: readableTitle(found),
    assignees: assigneesOf(found).map(user),
  }
}

/** Values that are set and readable, in form order. */
export function collectValues(
  { access, artifact }: Pick<FoundArtifact, 'access' | 'artifact'>,
  reading: ReadContext,
  fields: readonly Element[] = access.readable,
): ValueJson[] {
  return fields.flatMap((element) => {
    const shown = representValue(element, artifact.field_values[String(element.id)], reading)
    return shown ? [shown] : []
  })
}

export function representValue(element: Element, stored: unknown, reading: ReadContext): ValueJson | undefined {
  const shown = fieldTypeOf(element).read?.(stored, element, reading)
  return shown && { field_id: element.id, type: element.type, label: element.label, ...shown }
}

function collectByField({ access, artifact }: FoundArtifact, reading: ReadContext, everyType: boolean) {
  const listed = access.readable.filter((element) => {
    const type = fieldTypeOf(element)
    return type.kind === 'field' && (everyType || type.isAlphanumeric)
  })
  return Object.fromEntries(
    listed.map((element) => [
      element.name,
      representValue(element, artifact.field_values[String(element.id)], reading) ?? null,
    ]),
  )
}

/** The status value, if the viewer may read it; null if there is none. */
export function readableStatus({ artifact, access }: Pick<FoundArtifact, 'artifact' | 'access'>) {
  const { status } = access.tracker.semantics
  const field = status && access.tracker.byId.get(status.field_id)
  if (!status || !field || !access.mayRead(field) || field.bind?.type !== 'static') return null
  const [id] = idsIn(artifact.field_values[String(field.id)])
  const value = field.bind.values.find((each) => each.id === id)
  return value ? { label: value.label, color: value.color, isOpen: status.open.includes(value.id) } : null
}

function assigneesOf({ artifact, access }: FoundArtifact): AccountId[] {
  const { contributor } = access.tracker.semantics
  const field = contributor === null ? undefined : access.tracker.byId.get(contributor)
  if (!field || !access.mayRead(field)) return []
  return [...(fieldTypeOf(field).people?.(artifact.field_values[String(field.id)], field) ?? [])]
}

function idsIn(stored: unknown): ListValueId[] {
  return Array.isArray(stored) ? stored : []
}

function minimalUser({ context, language }: Audience, { people }: Pick<FoundArtifact, 'people'>, id: AccountId | null) {
  const row = people.find((each) => each.id === id)
  return row ? representUserMinimal(context, row) : anonymousUser(context, language)
}

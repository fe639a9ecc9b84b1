import { type Static, Type } from 'typebox'
import { type Context, platformZone } from '../../platform/operation/context.ts'
import { apiDate, apiDay } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { findDueField, findPriorityField } from '../../trackers/key-fields.ts'
import { minimalOf } from '../../trackers/represent-tracker.ts'
import { TrackerMinimal } from '../../trackers/schemas.ts'
import type { Element, ListValue } from '../../trackers/tracker.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import { readableTitle } from '../reading/title.ts'

const value = { value: Type.String(), color: nullable(Type.String()) }

export const OwnArtifact = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String(),
    title: nullable(Type.String()),
    xref: Type.String(),
    tracker: TrackerMinimal,
    status: nullable(
      Type.Object({
        ...value,
        progress: Type.Number({ description: 'The share of open values that come before this one, from 0 to 1.' }),
      }),
      'Null without a readable status.',
    ),
    priority: nullable(Type.Object(value), 'The value of the list `priority`, if the tracker has one.'),
    due: nullable(
      Type.Object({ value: Type.String(), is_time_displayed: Type.Boolean() }),
      'The end of the timeframe, or the date `due_date`, `due`, `due_on`, `deadline` or `end_date`.',
    ),
    last_modified_date: Type.String(),
  },
  { title: 'OwnArtifact' },
)
type OwnArtifact = Static<typeof OwnArtifact>

/** An artifact in a list of work: what it is, how urgent, and how far. */
export function representOwn(context: Context, found: FoundArtifact): OwnArtifact {
  const { artifact, access } = found
  const { id } = artifact
  return {
    id,
    uri: `artifacts/${id}`,
    html_url: `/artifacts/${id}`,
    title: readableTitle(found),
    xref: `${access.tracker.item_name} #${id}`,
    tracker: minimalOf(access.tracker, null),
    status: toStatus(found),
    priority: toPriority(found),
    due: toDue(context, found),
    last_modified_date: apiDate(artifact.last_modified_date),
  }
}

function toStatus(found: FoundArtifact): OwnArtifact['status'] {
  const { status } = found.access.tracker.semantics
  const field = status ? found.access.tracker.byId.get(status.field_id) : undefined
  const chosen = readableValue(found, field)
  if (!status || !field || !chosen) return null
  const open = staticValues(field).filter((each) => status.open.includes(each.id))
  const place = open.findIndex((each) => each.id === chosen.id)
  return { value: chosen.label, color: chosen.color, progress: place < 0 ? 1 : place / open.length }
}

function toPriority(found: FoundArtifact): OwnArtifact['priority'] {
  const chosen = readableValue(found, findPriorityField(found.access.tracker))
  return chosen ? { value: chosen.label, color: chosen.color } : null
}

function toDue(context: Context, { artifact, access }: FoundArtifact): OwnArtifact['due'] {
  const field = findDueField(access.tracker)
  if (!field || !access.mayRead(field)) return null
  const date = fieldTypeOf(field).dateOf?.(artifact.field_values[String(field.id)], artifact)
  if (date === undefined) return null
  return typeof date === 'string'
    ? { value: apiDay(date, platformZone(context)), is_time_displayed: false }
    : { value: apiDate(date), is_time_displayed: true }
}

/** The first value of a list that the viewer may read. */
function readableValue({ artifact, access }: FoundArtifact, field: Element | undefined): ListValue | undefined {
  if (!field || !access.mayRead(field)) return undefined
  const stored = artifact.field_values[String(field.id)]
  const [id] = Array.isArray(stored) ? stored : []
  return staticValues(field).find((each) => each.id === id)
}

function staticValues({ bind }: Element): readonly ListValue[] {
  return bind?.type === 'static' ? bind.values : []
}

import type { FreeWork } from '../../platform/http/work.ts'
import type { Reading } from '../../trackers/fields/field-type.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Element, FieldId } from '../../trackers/tracker.ts'
import { findArtifacts, type FoundArtifact } from '../reading/find-artifact.ts'
import { type Audience, readingOf } from '../reading/reading.ts'
import { readValue } from '../reading/represent-artifact.ts'
import type { Draft } from './draft-version.ts'
import { withoutNewIds } from './rehearsed.ts'

/** Says, for a dry run, what a version changes, by which rules, and who would be told. Only what the author may read. */
export async function reportVersion(
  work: FreeWork,
  audience: Audience,
  before: FoundArtifact | undefined,
  after: FoundArtifact,
  draft: Draft,
): Promise<void> {
  const { sight } = after
  const is = await readingOf(audience, after)
  if (!before || draft.changes.size > 0 || draft.comment)
    await reportFields(work, audience, before, after, [...draft.changes.keys()], draft)
  for (const rule of draft.rules) {
    const { field_id } = rule
    if (field_id === undefined || sight.readable.some(({ id }) => id === field_id)) work.rule(rule)
  }
  for (const person of peopleToTell(audience, before, after, is))
    work.notify({ user: person, channel: 'mail', why: 'named_in_field' })
}

/** The same of an artifact that a write changes beside its own, if its author sees it. */
export async function reportOther(
  work: FreeWork,
  audience: Audience,
  before: FoundArtifact,
  changed: readonly FieldId[],
): Promise<void> {
  const { context, db, viewer } = audience
  const [after] = await findArtifacts(context, db, viewer, [before.artifact.id])
  if (after) await reportFields(work, audience, before, after, changed)
}

async function reportFields(
  work: FreeWork,
  audience: Audience,
  before: FoundArtifact | undefined,
  after: FoundArtifact,
  changed: readonly FieldId[],
  draft?: Draft,
): Promise<void> {
  const { sight, artifact } = after
  const [was, is] = [before && (await readingOf(audience, before)), await readingOf(audience, after)]
  await work.change({
    object: before ? `artifacts/${artifact.id}` : 'artifacts',
    op: before ? 'update' : 'create',
    fields: sight.readable
      .filter(({ id }) => changed.includes(id))
      .map((element) => ({
        field_id: element.id,
        name: element.name,
        before: before && was ? shown(element, before, was) : null,
        after: shown(element, after, is, draft),
      })),
  })
}

/** A value without what names its field; where `value` says all, just that. */
export function shown(
  element: Element,
  { artifact }: Pick<FoundArtifact, 'artifact'>,
  reading: Reading,
  draft?: Draft,
): unknown {
  const entry = readValue(element, artifact.field_values[String(element.id)], reading)
  if (!entry) return null
  const members = new Map<string, unknown>(Object.entries(draft ? withoutNewIds(entry, draft) : entry))
  for (const name of ['field_id', 'type', 'label']) members.delete(name)
  return members.size === 1 && members.has('value') ? members.get('value') : Object.fromEntries(members)
}

/** Whoever stands in a list of people that tells them of changes, before or after; never the author himself. */
function peopleToTell(
  { viewer }: Audience,
  before: FoundArtifact | undefined,
  { artifact, sight }: FoundArtifact,
  reading: Reading,
): { id: number; username: string }[] {
  if (sight.tracker.settings.notifications_level === 'none') return []
  const named = sight.tracker.elements
    .filter(({ notifies, is_used }) => notifies && is_used)
    .flatMap((element) =>
      [before?.artifact, artifact].flatMap((each) => {
        const stored = each?.field_values[String(element.id)]
        return stored === undefined ? [] : [...(fieldTypeOf(element).people?.(stored, element) ?? [])]
      }),
    )
  return [...new Set(named)].flatMap((id) => {
    const username = reading.user(id)?.username
    return username && id !== viewer.account_id ? [{ id, username }] : []
  })
}

import type { FreeWork } from '../../platform/http/work.ts'
import type { Reading } from '../../trackers/fields/field-type.ts'
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
  if (!before || draft.changes.size > 0 || draft.comment)
    await reportFields(work, audience, before, after, [...draft.changes.keys()], draft)
  for (const rule of draft.rules) {
    const { field_id } = rule
    if (field_id === undefined || sight.readable.some(({ id }) => id === field_id)) work.rule(rule)
  }
  await reportTold(work, audience, after)
}

async function reportTold(work: FreeWork, audience: Audience, { artifact }: FoundArtifact): Promise<void> {
  for (const told of await audience.context.peopleTold(audience, artifact.id, artifact.version)) work.notify(told)
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
  if (!after) return
  await reportFields(work, audience, before, after, changed)
  await reportTold(work, audience, after)
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

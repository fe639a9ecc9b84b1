import type { StatementWriteContext } from '../../platform/http/write-context.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import type { Element, FieldId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifacts, type FoundArtifact } from '../reading/find-artifact.ts'
import { buildReadContext } from '../reading/read-context.ts'
import type { Audience } from '../reading/audience.ts'
import { representValue } from '../reading/represent-artifact.ts'
import { withoutNewIds } from './dry-run-response.ts'
import type { VersionDraft } from './version-draft.ts'

type Notified = Parameters<StatementWriteContext['notify']>[0]

/** The people who will be notified of a version written in this transaction, limited to those its author sees. */
export type FindNotifiedPeople = (
  author: Audience,
  artifact: ArtifactId,
  version: number,
) => Promise<readonly Notified[]>

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** For the report of a dry run. Registered by a higher room. */
    readonly notifiedPeople: FindNotifiedPeople
  }
}

/**
 * Reports, for a dry run, the changes of a version, the applied rules and the people to notify. Only what the author
 * may read.
 */
export async function reportVersion(
  work: StatementWriteContext,
  audience: Audience,
  before: FoundArtifact | undefined,
  after: FoundArtifact,
  draft: VersionDraft,
): Promise<void> {
  const { access } = after
  if (!before || draft.changes.size > 0 || draft.comment)
    await reportFields(work, audience, before, after, [...draft.changes.keys()], draft)
  for (const rule of draft.rules) {
    const { field_id } = rule
    if (field_id === undefined || access.readable.some(({ id }) => id === field_id)) work.rule(rule)
  }
  await reportNotified(work, audience, after)
}

async function reportNotified(
  work: StatementWriteContext,
  audience: Audience,
  { artifact }: FoundArtifact,
): Promise<void> {
  for (const notified of await audience.context.notifiedPeople(audience, artifact.id, artifact.version))
    work.notify(notified)
}

/** The same for another artifact that the write changes, if the author sees it. */
export async function reportOther(
  work: StatementWriteContext,
  audience: Audience,
  before: FoundArtifact,
  changed: readonly FieldId[],
): Promise<void> {
  const { context, db, viewer } = audience
  const [after] = await findArtifacts(context, db, viewer, [before.artifact.id])
  if (!after) return
  await reportFields(work, audience, before, after, changed)
  await reportNotified(work, audience, after)
}

async function reportFields(
  work: StatementWriteContext,
  audience: Audience,
  before: FoundArtifact | undefined,
  after: FoundArtifact,
  changed: readonly FieldId[],
  draft?: VersionDraft,
): Promise<void> {
  const { access, artifact } = after
  const [was, is] = [before && (await buildReadContext(audience, before)), await buildReadContext(audience, after)]
  await work.change({
    object: before ? `artifacts/${artifact.id}` : 'artifacts',
    op: before ? 'update' : 'create',
    fields: access.readable
      .filter(({ id }) => changed.includes(id))
      .map((element) => ({
        field_id: element.id,
        name: element.name,
        before: before && was ? showChangedValue(element, before, was) : null,
        after: showChangedValue(element, after, is, draft),
      })),
  })
}

/** A value without the members that name its field; just `value` if that is all. */
export function showChangedValue(
  element: Element,
  { artifact }: Pick<FoundArtifact, 'artifact'>,
  reading: ReadContext,
  draft?: VersionDraft,
): unknown {
  const entry = representValue(element, artifact.field_values[String(element.id)], reading)
  if (!entry) return null
  const members = new Map<string, unknown>(Object.entries(draft ? withoutNewIds(entry, draft) : entry))
  for (const name of ['field_id', 'type', 'label']) members.delete(name)
  return members.size === 1 && members.has('value') ? members.get('value') : Object.fromEntries(members)
}

import { type Static, Type } from 'typebox'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { type FullUserRow, representUserMinimal } from '../../accounts/users/user.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { renderText } from '../../platform/rich-text/render-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { groupOfTracker } from '../../trackers/groups-of-tracker.ts'
import { GroupOfTracker } from '../../trackers/schemas.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import { CommentReaction } from '../comments/reaction.ts'
import { pastLinks } from '../links/past-links.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/audience.ts'
import { collectValues, RepresentedValue } from '../reading/represent-artifact.ts'
import { showChangedValue } from '../update-artifact/dry-run-report.ts'
import { everyField } from './every-field.ts'
import { findPastPeople } from './past-people.ts'
import { buildPastReadContexts } from './past-read-context.ts'
import type { VisibleVersionRow } from './read-versions.ts'
import { replayHistories, type ReplayedVersion } from './replay-versions.ts'

export const LastComment = Type.Object(
  {
    body: Type.String({ description: 'Empty if there is no comment that the caller may read.' }),
    post_processed_body: Type.String({ description: 'Safe HTML, with references turned into links.' }),
    format: Type.Enum(['text', 'html']),
    commonmark: Type.Optional(Type.String({ description: 'The source.' })),
    ugroups: nullable(Type.Array(GroupOfTracker, { description: 'The only groups that may read it.' })),
    version: Type.Optional(
      Type.Integer({ description: 'Of a comment that was changed: the number of its present text, from 2.' }),
    ),
    is_deleted: Type.Optional(Type.Boolean({ description: 'There was a comment, which has been deleted.' })),
    reactions: Type.Optional(Type.Array(CommentReaction, { description: 'Absent if there are none.' })),
  },
  { title: 'LastComment' },
)
type LastComment = Static<typeof LastComment>

export const Changeset = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.Optional(Type.String()),
    version: Type.Integer({ description: 'The version number, from 1.' }),
    submitted_by: nullable(Type.Integer()),
    submitted_by_details: nullable(UserMinimal),
    submitted_on: Type.String(),
    email: nullable(Type.String()),
    last_comment: LastComment,
    values: Type.Array(RepresentedValue, { description: 'All values after this version.' }),
    last_modified_by: nullable(UserMinimal),
    last_modified_date: Type.String(),
    changes: Type.Optional(
      Type.Array(
        Type.Object({ field_id: Type.Integer(), before: Type.Unknown(), after: Type.Unknown() }, { title: 'Change' }),
      ),
    ),
    imported_by: Type.Optional(
      nullable(UserMinimal, 'Of an imported version: who imported it. The author is the one that the source names.'),
    ),
    source: Type.Optional(Type.String({ description: 'Of an imported version: the system that it comes from.' })),
  },
  { title: 'Changeset' },
)
export type Changeset = Static<typeof Changeset>

interface ChangesetForm {
  /** `every_field`: empty fields too, so that each field has a fixed index in the list. */
  readonly values: boolean | 'every_field'
  readonly diff: boolean
  /** For webhooks of the original form, which have none. */
  readonly withoutUri?: true
}

/** Representations of versions of one artifact. */
export async function representChangesets(
  audience: Audience,
  now: FoundArtifact,
  rows: readonly VisibleVersionRow[],
  form: ChangesetForm,
): Promise<Changeset[]> {
  const [shown = []] = await representHistories(audience, now.access, [{ now, rows }], form)
  return shown
}

/** Versions of an artifact. */
interface ArtifactHistory {
  readonly now: FoundArtifact
  readonly rows: readonly VisibleVersionRow[]
}

/**
 * Representations of versions of several artifacts of one tracker: values are of that time; permissions, labels, names
 * and sums are current. One statement replays all versions, one finds their people and one the ends of their links.
 */
export async function representHistories(
  audience: Audience,
  access: TrackerAccess,
  histories: readonly ArtifactHistory[],
  form: ChangesetForm,
): Promise<Changeset[][]> {
  const replayed = form.values !== false || form.diff ? await replayRows(audience, histories) : NOTHING_REPLAYED
  const versions = histories.flatMap(({ now, rows }) =>
    rows.map((row) => {
      const step = replayed.get(now.artifact.id)?.get(row.version)
      return { now, row, step, is: artifactAt(now, row, step?.after ?? {}) }
    }),
  )
  const states = versions.flatMap(({ step }) => (step ? [step.before, step.after] : []))
  const known = new Map(histories.flatMap(({ now }) => now.people.map((row) => [row.id, row])))
  const people = await findPastPeople(audience, { access, people: [...known.values()] }, [
    ...versions.map(({ is }) => is),
    ...versions.map(({ row: { imported_by: last_update_by } }) => ({ field_values: {}, last_update_by })),
    ...versions.map(({ row: { comment_edited_by: last_update_by } }) => ({ field_values: {}, last_update_by })),
    ...states.map((field_values) => ({ field_values, last_update_by: null })),
  ])
  const linksOf = await pastLinks(audience, access, states)
  const artifacts = histories.map(({ now }) => now)
  const readingOf = await buildPastReadContexts(audience, artifacts, { people, linksOf, states })
  const personOf = new Map(people.map((row) => [row.id, row]))
  const shown = Map.groupBy(versions, ({ now }) => now)
  return artifacts.map((each) =>
    (shown.get(each) ?? []).map(({ now, row, step, is }) => {
      const readingAt = (artifact: Artifact) => readingOf(now, artifact)
      const reading = readingAt(is)
      const author = minimalOf(audience, personOf, row.submitted_by)
      return {
        id: row.id,
        ...(!form.withoutUri && { uri: `artifacts/${now.artifact.id}/changesets/${row.id}` }),
        version: row.version,
        submitted_by: row.submitted_by,
        submitted_by_details: author,
        submitted_on: apiDate(row.submitted_on),
        email: null,
        last_comment: representComment(access, row, reading),
        values: shownValues(form, now, is, reading),
        last_modified_by: row.comment_edited_on ? minimalOf(audience, personOf, row.comment_edited_by) : author,
        last_modified_date: apiDate(row.comment_edited_on ?? row.submitted_on),
        ...(row.import_source !== null && {
          imported_by: minimalOf(audience, personOf, row.imported_by),
          source: row.import_source,
        }),
        ...(form.diff && step && { changes: changesOf(now, row, step, readingAt) }),
      }
    }),
  )
}

function shownValues(form: ChangesetForm, now: FoundArtifact, is: Artifact, reading: ReadContext): Changeset['values'] {
  if (form.values === 'every_field') return everyField(now, is, reading)
  return form.values ? valuesAt(now, is, reading) : []
}

/**
 * The last version shows everything that the artifact shows. Earlier ones show stored values only: sums, charts,
 * references and reverse links are not versioned.
 */
function valuesAt({ artifact, access }: FoundArtifact, is: Artifact, reading: ReadContext): Changeset['values'] {
  if (is.version === artifact.version) return collectValues({ access, artifact: is }, reading)
  const readable = access.readable.filter(
    (element) => String(element.id) in is.field_values || fieldTypeOf(element).holdsLinks,
  )
  return collectValues({ access: { ...access, readable }, artifact: is }, withoutReverse(reading))
}

/** Reverse links are not changes of the artifact itself. */
function withoutReverse(reading: ReadContext): ReadContext {
  return { ...reading, links: { ...reading.links, reverse: [] } }
}

const NOTHING_REPLAYED: Awaited<ReturnType<typeof replayHistories>> = new Map()

function replayRows({ db }: Audience, histories: readonly ArtifactHistory[]) {
  return replayHistories(
    db,
    histories.map(({ now: { artifact }, rows }) => ({
      id: artifact.id,
      tracker_id: artifact.tracker_id,
      versions: rows.map(({ version }) => version),
    })),
  )
}

function artifactAt(
  { artifact }: FoundArtifact,
  row: VisibleVersionRow,
  field_values: Artifact['field_values'],
): Artifact {
  const { version, submitted_by, submitted_on } = row
  return { ...artifact, version, field_values, last_update_by: submitted_by, last_modified_date: submitted_on }
}

/** The difference to the previous version in fields that the viewer may read. */
function changesOf(
  now: FoundArtifact,
  row: VisibleVersionRow,
  { before, changes, after }: ReplayedVersion,
  readingAt: (artifact: Artifact) => ReadContext,
) {
  const [was, is] = [artifactAt(now, row, before), artifactAt(now, row, after)]
  const [readingThen, reading] = [withoutReverse(readingAt(was)), withoutReverse(readingAt(is))]
  const differs = (element: Element) =>
    String(element.id) in changes && (!fieldTypeOf(element).holdsLinks || row.is_linked)
  return now.access.readable.filter(differs).map((element) => ({
    field_id: element.id,
    before: row.version === 1 ? null : showChangedValue(element, { artifact: was }, readingThen),
    after: showChangedValue(element, { artifact: is }, reading),
  }))
}

function minimalOf(
  { context }: Audience,
  people: ReadonlyMap<AccountId, FullUserRow>,
  id: AccountId | null,
): UserMinimal | null {
  const row = id === null ? undefined : people.get(id)
  return row ? representUserMinimal(context, row) : null
}

/** An unreadable comment looks like an absent one. */
function representComment(access: TrackerAccess, row: VisibleVersionRow, reading: ReadContext): LastComment {
  const { comment, comment_format: format, comment_version: version, reactions } = row
  const more = {
    ...(version !== null && { version }),
    ...(row.is_comment_deleted && { is_deleted: true }),
    ...(reactions && { reactions: [...reactions] }),
  }
  if (comment === null || format === null)
    return { body: '', post_processed_body: '', format: 'text', ugroups: null, ...more }
  const html = renderText(format, comment)
  const post_processed_body = reading.linked(html)
  const isPrivate = access.tracker.settings.private_comments && row.comment_groups !== null
  const groups = (row.comment_groups ?? []).flatMap((number) => reading.group(number) ?? [])
  const ugroups = isPrivate ? groups.map(groupOfTracker) : null
  if (format !== 'commonmark') return { body: comment, post_processed_body, format, ugroups, ...more }
  return { body: html, post_processed_body, format: 'html', commonmark: comment, ugroups, ...more }
}

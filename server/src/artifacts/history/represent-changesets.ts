import { type Static, Type } from 'typebox'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { type FullUserRow, representUserMinimal } from '../../accounts/users/user.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { renderText } from '../../platform/texts/render-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import type { Reading } from '../../trackers/fields/field-type.ts'
import { groupOfTracker } from '../../trackers/groups-of-tracker.ts'
import { GroupOfTracker } from '../../trackers/schemas.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import { pastLinks } from '../links/past-links.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/reading.ts'
import { collect, Value } from '../reading/represent-artifact.ts'
import { shown } from '../writing/report.ts'
import { everyField } from './every-field.ts'
import { findPastPeople } from './past-people.ts'
import { pastReading } from './past-reading.ts'
import type { VersionRow } from './read-versions.ts'
import { replaySteps, type Step } from './replay.ts'

const LastComment = Type.Object(
  {
    body: Type.String({ description: 'Empty: there is none, or none for the caller.' }),
    post_processed_body: Type.String({ description: 'Safe HTML, with references turned into links.' }),
    format: Type.Enum(['text', 'html']),
    commonmark: Type.Optional(Type.String({ description: 'The source.' })),
    ugroups: nullable(Type.Array(GroupOfTracker, { description: 'Who alone may read it.' })),
  },
  { title: 'LastComment' },
)
type LastComment = Static<typeof LastComment>

export const Changeset = Type.Object(
  {
    id: Type.Integer(),
    version: Type.Integer({ description: 'Its number, from 1.' }),
    submitted_by: nullable(Type.Integer()),
    submitted_by_details: nullable(UserMinimal),
    submitted_on: Type.String(),
    email: nullable(Type.String()),
    last_comment: LastComment,
    values: Type.Array(Value, { description: 'All of them, as this version left them.' }),
    last_modified_by: nullable(UserMinimal),
    last_modified_date: Type.String(),
    changes: Type.Optional(
      Type.Array(
        Type.Object({ field_id: Type.Integer(), before: Type.Unknown(), after: Type.Unknown() }, { title: 'Change' }),
      ),
    ),
  },
  { title: 'Changeset' },
)
export type Changeset = Static<typeof Changeset>

interface ChangesetForm {
  /** `every_field`: also those that have none, so that each has its place in the list. */
  readonly values: boolean | 'every_field'
  readonly diff: boolean
}

/**
 * Versions as answers show them: values of then, and everything else (rights, labels, names, sums) of today. However
 * many they are, one statement replays them, one finds their people and one the ends of their links.
 */
export async function representChangesets(
  audience: Audience,
  now: FoundArtifact,
  rows: readonly VersionRow[],
  form: ChangesetForm,
): Promise<Changeset[]> {
  const steps = form.values !== false || form.diff ? await replayRows(audience, now, rows) : new Map<number, Step>()
  const states = [...steps.values()].flatMap(({ before, after }) => [before, after])
  const versions = rows.map((row) => ({ row, is: artifactAt(now, row, steps.get(row.version)?.after ?? {}) }))
  const people = await findPastPeople(audience, now, [
    ...versions.map(({ is }) => is),
    ...states.map((field_values) => ({ field_values, last_update_by: null })),
  ])
  const linksOf = await pastLinks(audience, now.sight, states)
  const readingAt = await pastReading(audience, now, { people, linksOf, states })
  return versions.map(({ row, is }) => {
    const step = steps.get(row.version)
    const reading = readingAt(is)
    const author = minimalOf(audience, people, row.submitted_by)
    return {
      id: row.id,
      version: row.version,
      submitted_by: row.submitted_by,
      submitted_by_details: author,
      submitted_on: apiDate(row.submitted_on),
      email: null,
      last_comment: representComment(now.sight, row, reading),
      values: shownValues(form, now, is, reading),
      last_modified_by: author,
      last_modified_date: apiDate(row.submitted_on),
      ...(form.diff && step && { changes: changesOf(now, row, step, readingAt) }),
    }
  })
}

function shownValues(form: ChangesetForm, now: FoundArtifact, is: Artifact, reading: Reading): Changeset['values'] {
  if (form.values === 'every_field') return everyField(now, is, reading)
  return form.values ? valuesAt(now, is, reading) : []
}

/**
 * The last version shows all that the artifact shows. Those before it show what they have stored: sums, charts,
 * references and links from elsewhere are of today, and were never theirs.
 */
function valuesAt({ artifact, sight }: FoundArtifact, is: Artifact, reading: Reading): Changeset['values'] {
  if (is.version === artifact.version) return collect({ sight, artifact: is }, reading)
  const readable = sight.readable.filter(({ id, type }) => String(id) in is.field_values || type === 'art_link')
  return collect({ sight: { ...sight, readable }, artifact: is }, withoutReverse(reading))
}

/** Links from elsewhere are none of an artifact's own changes. */
function withoutReverse(reading: Reading): Reading {
  return { ...reading, links: { ...reading.links, reverse: [] } }
}

function replayRows({ db }: Audience, { artifact }: FoundArtifact, rows: readonly VersionRow[]) {
  return replaySteps(
    db,
    artifact,
    rows.map(({ version }) => version),
  )
}

function artifactAt({ artifact }: FoundArtifact, row: VersionRow, field_values: Artifact['field_values']): Artifact {
  const { version, submitted_by, submitted_on } = row
  return { ...artifact, version, field_values, last_update_by: submitted_by, last_modified_date: submitted_on }
}

/** What differs from the version before, of what the viewer may read. */
function changesOf(
  now: FoundArtifact,
  row: VersionRow,
  { before, changes, after }: Step,
  readingAt: (artifact: Artifact) => Reading,
) {
  const [was, is] = [artifactAt(now, row, before), artifactAt(now, row, after)]
  const [readingThen, reading] = [withoutReverse(readingAt(was)), withoutReverse(readingAt(is))]
  const differs = ({ id, type }: Element) => String(id) in changes && (type !== 'art_link' || row.is_linked)
  return now.sight.readable.filter(differs).map((element) => ({
    field_id: element.id,
    before: row.version === 1 ? null : shown(element, { artifact: was }, readingThen),
    after: shown(element, { artifact: is }, reading),
  }))
}

function minimalOf({ context }: Audience, people: readonly FullUserRow[], id: AccountId | null): UserMinimal | null {
  const row = people.find((each) => each.id === id)
  return row ? representUserMinimal(context, row) : null
}

/** What may not be read looks like what is not there. */
function representComment(sight: Sight, row: VersionRow, reading: Reading): LastComment {
  const { comment, comment_format: format } = row
  if (comment === null || format === null) return { body: '', post_processed_body: '', format: 'text', ugroups: null }
  const html = renderText(format, comment)
  const post_processed_body = reading.linked(html)
  const isPrivate = sight.tracker.settings.private_comments && row.comment_groups !== null
  const groups = (row.comment_groups ?? []).flatMap((number) => reading.group(number) ?? [])
  const ugroups = isPrivate ? groups.map(groupOfTracker) : null
  if (format !== 'commonmark') return { body: comment, post_processed_body, format, ugroups }
  return { body: html, post_processed_body, format: 'html', commonmark: comment, ugroups }
}

import { sql } from 'kysely'
import type { FileId, StoredFile } from '../../../files/file.ts'
import type { Tx } from '../../../platform/database/db.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import type { TextFormat } from '../../../platform/rich-text/render-text.ts'
import { apiDate } from '../../../platform/wire/dates.ts'
import { type XmlElement, xmlDocument, xmlElement, xmlObject } from '../../../platform/wire/xml-element.ts'
import { UNRESTRICTED_VIEWER, loadReferenceNames } from '../../../trackers/definition/load-reference-lookup.ts'
import type { ReferenceNames } from '../../../trackers/definition/reference-lookup.ts'
import { writeDefinition } from '../../../trackers/definition/write-definition.ts'
import { fieldTypeOf } from '../../../trackers/field-types/field-types.ts'
import type { LoadedTracker } from '../../../trackers/load-tracker.ts'
import { type FieldId, type StoredValues, type TrackerId } from '../../../trackers/tracker.ts'
import { toId } from '../../../platform/database/ids.ts'
import type { Artifact, ChangesetId } from '../../artifact.ts'

interface Version {
  readonly id: ChangesetId
  readonly tracker_id: TrackerId
  readonly submitted_by: AccountId | null
  readonly submitted_on: Date
  readonly changes: StoredValues
  readonly comment: string | null
  readonly comment_format: TextFormat | null
  readonly comment_groups: readonly number[] | null
}

/** The current tracker of the artifact, or a former one. */
interface ArchivedTracker {
  readonly tracker: LoadedTracker
  readonly names: ReferenceNames
}

/**
 * `artifact.xml`: the structure and all versions, without permission checks. Refers to people by id, and returns those
 * ids.
 */
export async function writeArtifactDocument(
  context: Context,
  tx: Tx,
  artifact: Pick<Artifact, 'id' | 'tracker_id' | 'submitted_by'>,
  files: readonly StoredFile[],
): Promise<{ document: string; people: ReadonlySet<AccountId> }> {
  const { rows: versions } = await sql<Version>`
    select id, tracker_id, submitted_by, submitted_on, changes, comment, comment_format, comment_groups from changeset
    where artifact_id = ${artifact.id} order by version`.execute(tx)
  const places = await loadPlaces(context, tx, [artifact.tracker_id, ...versions.map(({ tracker_id }) => tracker_id)])
  const people = new Set<AccountId>(artifact.submitted_by === null ? [] : [artifact.submitted_by])
  const changesets = versions.map((version) => writeVersion(version, places.get(version.tracker_id), people))
  const root = xmlElement(
    'trackers',
    {},
    ...places.values().map(writeTracker),
    xmlElement('artifacts', {}, xmlElement('artifact', { id: artifact.id }, ...changesets, ...files.map(writeFile))),
  )
  return { document: xmlDocument(root), people }
}

function writeFile({ id, name, size, media_type, description }: StoredFile): XmlElement {
  return xmlElement(
    'file',
    { id: `fileinfo_${id}` },
    xmlElement('filename', {}, name),
    xmlElement('path', {}, archivePath(id)),
    xmlElement('filesize', {}, size),
    xmlElement('filetype', {}, media_type),
    xmlElement('description', {}, description),
  )
}

/** The path of a file inside an archive. */
export function archivePath(file: FileId): string {
  return `data/Artifact${file}`
}

/** In this order; purged trackers are missing. */
async function loadPlaces(
  context: Context,
  tx: Tx,
  ids: readonly TrackerId[],
): Promise<ReadonlyMap<TrackerId, ArchivedTracker>> {
  const places = new Map<TrackerId, ArchivedTracker>()
  for (const id of new Set(ids)) {
    const tracker = await context.trackers.now(tx, id)
    if (tracker) places.set(id, { tracker, names: await loadReferenceNames(tx, UNRESTRICTED_VIEWER, tracker) })
  }
  return places
}

/** The definition of the tracker, like `GET /trackers/{id}/definition` in XML, without names of people. */
function writeTracker({ tracker, names }: ArchivedTracker): XmlElement {
  const document = writeDefinition(tracker, { ...names, loginOf: (id) => `@${id}` })
  return xmlObject('tracker', { id: `T${tracker.id}` }, document)
}

function writeVersion(version: Version, place: ArchivedTracker | undefined, people: Set<AccountId>): XmlElement {
  const { submitted_by, submitted_on } = version
  if (submitted_by !== null) people.add(submitted_by)
  const by =
    submitted_by === null
      ? xmlElement('submitted_by', { format: 'id', is_anonymous: 1 })
      : xmlElement('submitted_by', { format: 'id' }, submitted_by)
  const on = xmlElement('submitted_on', { format: 'ISO8601' }, apiDate(submitted_on))
  return xmlElement(
    'changeset',
    { id: `CHANGESET_${version.id}` },
    by,
    on,
    xmlElement('comments', {}, ...writeComment(version, place, [by, on])),
    ...Object.entries(version.changes).map(([id, stored]) => writeChange(id, stored, place, people)),
  )
}

function writeComment(
  { comment, comment_format, comment_groups }: Version,
  place: ArchivedTracker | undefined,
  byAndOn: readonly XmlElement[],
): XmlElement[] {
  if (comment === null) return []
  const body = xmlElement('body', { format: comment_format ?? 'text' }, comment)
  const groups = comment_groups?.map((group) =>
    xmlElement('ugroup', { ugroup_name: place?.names.nameOfGroup(group) ?? `@${group}` }),
  )
  const hidden = groups ? [xmlElement('private_ugroups', {}, ...groups)] : []
  return [xmlElement('comment', {}, ...byAndOn, body, ...hidden)]
}

function writeChange(
  id: string,
  stored: unknown,
  place: ArchivedTracker | undefined,
  people: Set<AccountId>,
): XmlElement {
  const element = place?.tracker.byId.get(toId<FieldId>(Number(id)))
  // Values of a deleted field remain in the history.
  if (!place || !element) return xmlElement('field_change', { field_name: `@${id}`, type: 'unknown' }, plainly(stored))
  const type = fieldTypeOf(element)
  for (const person of type.people?.(stored, element) ?? []) people.add(person)
  const { attributes, content } = type.archive?.(stored, element, { groupName: place.names.nameOfGroup }) ?? {
    attributes: { type: element.type },
    content: [plainly(stored)],
  }
  return xmlElement('field_change', { field_name: element.name, ...attributes }, ...content)
}

function plainly(stored: unknown): XmlElement {
  const text = typeof stored === 'string' ? stored : stored === null ? '' : JSON.stringify(stored)
  return xmlElement('value', {}, text)
}

import { isId, toId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { batchedLookups } from '../bulk/batched-lookups.ts'
import { refusalIn } from '../bulk/draft-creations.ts'
import { type Lookups, lookupsOf } from '../update-artifact/lookups.ts'
import type { Author } from '../update-artifact/version-draft.ts'
import { type DraftedImport, draftImport, findAuthors, toImportAccess } from './draft-import.ts'
import type { ImportLine } from './import-line.ts'

/** The tracker of some lines, in one state. */
export interface ImportTarget {
  readonly access: TrackerAccess
}

/** By line: what can be written where, or the error. */
export type DraftedLines = ReadonlyMap<
  ImportLine,
  | {
      readonly target: ImportTarget
      readonly draft: DraftedImport
      /** Ids that earlier lines set, and that this line links to. */
      readonly needs: ReadonlySet<number>
    }
  | ApiError
>

/** Drafts lines concurrently, with shared lookups. Writes nothing. */
export async function draftLines(
  author: Author,
  project: ProjectId,
  lines: readonly ImportLine[],
  /** All lines of the batch, in order. */
  among: readonly ImportLine[] = lines,
): Promise<DraftedLines> {
  const authors = await findAuthors(author, lines)
  const together = { ...author, lookups: lookupsForImport(author) }
  const targets = new Map<number, ImportTarget | ApiError>()
  for (const id of new Set(lines.map(({ tracker }) => tracker.id)))
    targets.set(id, await findTarget(author, project, id).catch(refusalIn))
  const order = new Map(among.map((line, place) => [line, place]))
  const places = new Map(among.flatMap(({ id }, place) => (id === undefined ? [] : [[id, place] as const])))
  const drafted = lines.map(async (line) => {
    const place = order.get(line) ?? 0
    const target = targets.get(line.tracker.id) ?? new ApiError('not_found')
    if (target instanceof ApiError) return [line, target] as const
    const needs = new Set<number>()
    const isEarlier = (id: number) => (places.get(id) ?? place) < place
    const lookups = withEarlierLines(together.lookups, target, isEarlier, needs)
    const draft = await draftImport({ ...together, lookups }, target.access, authors, line).catch(refusalIn)
    return [line, draft instanceof ApiError ? draft : { target, draft, needs }] as const
  })
  return new Map(await Promise.all(drafted))
}

async function findTarget({ context, db, viewer }: Author, project: ProjectId, id: number): Promise<ImportTarget> {
  const unknown = new ApiError('reference_unknown', { path: 'tracker.id', rule: 'exists' })
  if (!isId<TrackerId>(id)) throw unknown
  const access = await findTracker(context, db, viewer, id).catch((error: unknown) => {
    throw error instanceof ApiError ? unknown : error
  })
  if (access.tracker.project_id !== project) throw unknown
  return { access: toImportAccess(access) }
}

/** Looks people up in batches; one by one only if they may stay because they are stored already. */
function lookupsForImport(author: Author): Lookups {
  const batched = batchedLookups(author)
  const single = lookupsOf(author)
  return {
    ...batched,
    async choose(tracker, field, wanted, kept) {
      const found = await batched.choose(tracker, field, wanted, [])
      const isWhole = wanted.every((one) => found.some((each) => each.wanted === one))
      return isWhole || kept.length === 0 ? found : single.choose(tracker, field, wanted, kept)
    },
  }
}

/** An earlier line of the batch that sets its id counts as the end of a link, and is noted in `needs`. */
function withEarlierLines(
  lookups: Lookups,
  { access: { tracker } }: ImportTarget,
  isEarlier: (id: number) => boolean,
  needs: Set<number>,
): Lookups {
  return {
    ...lookups,
    async findEnds(ids) {
      const ends = new Map(await lookups.findEnds(ids))
      for (const id of ids) {
        if (ends.has(id) || !isEarlier(id)) continue
        needs.add(id)
        ends.set(id, {
          id: toId<ArtifactId>(id),
          project_id: tracker.project_id,
          tracker_id: tracker.id,
          field_values: {},
          stamp: '',
          is_active: true,
        })
      }
      return ends
    },
  }
}

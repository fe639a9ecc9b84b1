import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { isBackFilled } from '../platform/database/back-fill.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { joinProject, projectFacts } from '../projects/project-sql.ts'
import type { ProjectId, ProjectStatus, UserGroupId } from '../projects/project.ts'
import { requireUnarchived } from '../projects/writable-project.ts'
import { completeSettings } from './tracker-settings.ts'
import type { Element, FieldId, GroupNumber, Structure, Tracker, TrackerId } from './tracker.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    readonly trackers: TrackerCache
  }
}

/** An immutable snapshot of a tracker, with the data of its project that responses need. A change loads a new one. */
export interface LoadedTracker extends Tracker {
  readonly project: {
    readonly id: ProjectId
    readonly shortname: string
    readonly label: string
    readonly icon: string
    readonly status: ProjectStatus
    readonly rights_epoch: number
    /** The custom groups of the project. */
    readonly groups: ReadonlyMap<number, { readonly id: UserGroupId; readonly short_name: string }>
    /** Item names of the project's trackers in lower case, with the groups that may see each tracker. */
    readonly itemNames: ReadonlyMap<string, readonly GroupNumber[]>
  }
  /** All elements by id, and the used ones by name. */
  readonly byId: ReadonlyMap<FieldId, Element>
  readonly byName: ReadonlyMap<string, Element>
  /**
   * The version of tracker, project and permissions. A different value in the database means the snapshot is outdated.
   */
  readonly stamp: string
  /** True if every artifact has its summary, and if summaries have the title of this tracker. A change renews the stamp. */
  readonly summaries: { readonly are_complete: boolean; readonly have_titles: boolean }
}

/**
 * Select-list expression for statements on `tracker` and `project`; compare it with `stamp` to validate a cached
 * tracker.
 */
export const accessVersion: RawBuilder<string> = sql`concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch)`

/** The row versions of `tracker` and `project`: they change with every write to either row. */
export const trackerRowVersion: RawBuilder<string> = sql`concat_ws('.', tracker.xmin, project.xmin)`

/** The access versions of these trackers, as an array of objects, for a statement that names them. */
export function stampsOf(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select json_agg(each) from (select tracker.id, ${accessVersion} as stamp
    from tracker ${joinProject(sql`tracker.project_id`)} where tracker.id = any(${ids})) each)`
}

/** Cache of trackers; an entry is valid while its stamp equals the stored one. Entries may be evicted at any time. */
interface TrackerCache {
  /** The tracker with this stamp, or a newer one. */
  at(db: Db | Tx, id: TrackerId, stamp: string): Promise<LoadedTracker | undefined>
  /** A cached tracker that may be outdated; for decisions that only cost time if they are wrong. */
  peek(id: TrackerId): LoadedTracker | undefined
  /** The current tracker, bypassing the cache. Includes deleted trackers. */
  now(db: Db | Tx, id: TrackerId): Promise<LoadedTracker | undefined>
}

const MAX_CACHED_TRACKERS = 2000

export function createTrackerCache(): TrackerCache {
  const loaded = new LRUCache<TrackerId, LoadedTracker>({ max: MAX_CACHED_TRACKERS })
  const remember = (tracker: LoadedTracker) => {
    loaded.set(tracker.id, tracker)
    return tracker
  }
  return {
    async at(db, id, wanted) {
      const known = loaded.get(id)
      if (known?.stamp === wanted) return known
      const found = await loadTracker(db, id)
      return found && remember(found)
    },
    peek: (id) => loaded.get(id),
    async now(db, id) {
      // Not cached: the transaction may not be committed.
      return loadTracker(db, id)
    },
  }
}

type Row = Omit<Tracker, keyof Structure> & {
  structure: Structure
  project: Omit<LoadedTracker['project'], 'groups' | 'itemNames'> & {
    groups: { id: UserGroupId; short_name: string }[]
    item_names: { name: string; groups: GroupNumber[] }[]
  }
  stamp: string
  summaries: LoadedTracker['summaries']
}

/** Loads the current tracker from the database; includes deleted trackers. */
export async function loadTracker(db: Db | Tx, id: TrackerId): Promise<LoadedTracker | undefined> {
  const { rows } = await sql<Row>`
    select tracker.id, tracker.project_id, tracker.item_name, tracker.label, tracker.description, tracker.color_name,
      tracker.parent_id, tracker.version, tracker.rights_epoch, tracker.structure, ${accessVersion} as stamp,
      json_build_object('are_complete', ${isBackFilled('artifact_summary')},
        'have_titles', ${isBackFilled('artifact_titles', sql`tracker.id`)}) as summaries,
      ${projectFacts} || jsonb_build_object(
        'item_names', array(
          select jsonb_build_object('name', lower(other.item_name), 'groups', array(
            select distinct granted.group_id from tracker_grant granted where granted.tracker_id = other.id))
          from tracker other where other.project_id = project.id and other.deleted_on is null)) as project
    from tracker ${joinProject(sql`tracker.project_id`)} where tracker.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const {
    structure,
    project: { groups, item_names, ...project },
    ...rest
  } = row
  return {
    ...structure,
    settings: completeSettings(structure.settings),
    ...rest,
    project: {
      ...project,
      groups: new Map(groups.map((group) => [group.id, group])),
      itemNames: new Map(item_names.map(({ name, groups: granted }) => [name, granted])),
    },
    byId: new Map(structure.elements.map((element) => [element.id, element])),
    byName: new Map(structure.elements.filter(({ is_used }) => is_used).map((element) => [element.name, element])),
  }
}

interface InProject {
  readonly project: Pick<LoadedTracker['project'], 'status'>
}

/** Site administrators may enter an inactive project, but may not change it. */
export function requireActiveProject(place: InProject): void {
  if (isInActiveProject(place)) return
  requireUnarchived(place.project.status)
  throw new ApiError('rule_violated', { cause: 'project_not_active' })
}

export function isInActiveProject({ project }: InProject): boolean {
  // A project with a running import accepts writes from those who may enter it, to add list values for example.
  return project.status === 'active' || project.status === 'system' || project.status === 'importing'
}

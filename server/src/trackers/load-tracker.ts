import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import { itsProject, projectFacts } from '../projects/its-project.ts'
import type { ProjectId, ProjectStatus, UserGroupId } from '../projects/project.ts'
import type { Element, FieldId, GroupNumber, Structure, Tracker, TrackerId } from './tracker.ts'
import { ShortMemory } from '../platform/operation/short-memory.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    readonly trackers: TrackerMemory
  }
}

/** A tracker with what its answers need of its project. Read whole, never changed: a change is loaded anew. */
export interface LoadedTracker extends Tracker {
  readonly project: {
    readonly id: ProjectId
    readonly shortname: string
    readonly label: string
    readonly icon: string
    readonly status: ProjectStatus
    readonly rights_epoch: number
    /** Its own groups. */
    readonly groups: ReadonlyMap<number, { readonly id: UserGroupId; readonly short_name: string }>
    /** What its trackers call their artifacts, in lower case, and the groups that see them. */
    readonly itemNames: ReadonlyMap<string, readonly GroupNumber[]>
  }
  /** Every element by its id, and by its name those in use. */
  readonly byId: ReadonlyMap<FieldId, Element>
  readonly byName: ReadonlyMap<string, Element>
  /** Names this state of tracker, project and rights. A statement that answers with another one has seen a change. */
  readonly stamp: string
}

/**
 * For the select list of a statement that looks at `tracker` and `project`: compared with the one of what is in memory,
 * it tells whether that still holds.
 */
export const stamp: RawBuilder<string> = sql`concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch)`

/** Trackers as they were last read, each good for as long as its stamp is the stored one. It may be dropped at any moment. */
interface TrackerMemory {
  /** The tracker in exactly this state, or in a later one. */
  at(db: Db | Tx, id: TrackerId, stamp: string): Promise<LoadedTracker | undefined>
  /** The tracker as it is now, whatever is in memory. Deleted ones too. */
  now(db: Db | Tx, id: TrackerId): Promise<LoadedTracker | undefined>
}

const MOST = 2000

export function createTrackerMemory(): TrackerMemory {
  const loaded = new ShortMemory<TrackerId, LoadedTracker>(MOST)
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
    async now(db, id) {
      // Not remembered: it may be of a transaction that is not committed.
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
}

/** As it is stored now; deleted ones too. */
export async function loadTracker(db: Db | Tx, id: TrackerId): Promise<LoadedTracker | undefined> {
  const { rows } = await sql<Row>`
    select tracker.id, tracker.project_id, tracker.item_name, tracker.label, tracker.description, tracker.color_name,
      tracker.parent_id, tracker.version, tracker.rights_epoch, tracker.structure, ${stamp} as stamp,
      ${projectFacts} || jsonb_build_object(
        'item_names', array(
          select jsonb_build_object('name', lower(other.item_name), 'groups', array(
            select distinct granted.group_id from tracker_grant granted where granted.tracker_id = other.id))
          from tracker other where other.project_id = project.id and other.deleted_on is null)) as project
    from tracker ${itsProject(sql`tracker.project_id`)} where tracker.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const {
    structure,
    project: { groups, item_names, ...project },
    ...rest
  } = row
  return {
    ...structure,
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

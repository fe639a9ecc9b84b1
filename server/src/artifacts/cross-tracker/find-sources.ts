import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { hasShortname } from '../../projects/project-sql.ts'
import { isMemberOf } from '../../projects/visibility.ts'
import { findVisibleTrackers, hasItemName } from '../../trackers/find-visible-trackers.ts'
import { refuseText } from '../../trackers/search/bind-problems.ts'
import type { Select, SelectSource } from '../../trackers/search/tql/syntax.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Asker } from '../reading/audience.ts'
import { type CrossTrackerQuery, TEXT } from './cross-tracker-query.ts'

/** The trackers that `FROM` names and the viewer sees. Invisible trackers are treated as missing. */
export async function findSources(
  asker: Asker,
  question: CrossTrackerQuery,
  { sources }: Select,
): Promise<readonly TrackerAccess[]> {
  const { context, db, viewer } = asker
  const { query_trackers: maximum } = context.settings.current
  const position = sources[0]?.position ?? 0
  const meant = conditionOf(sources, viewer, () => selfOf(question, position))
  const accesses = await findVisibleTrackers(context, db, viewer, meant, maximum)
  if (accesses.length > maximum)
    refuseText(TEXT, {
      reason: 'parameter_out_of_range',
      rule: 'maximum',
      cause: 'too_many_trackers',
      position,
      allowed: { maximum },
    })
  if (accesses.length === 0) refuseText(TEXT, { reason: 'query_malformed', cause: 'unknown_source', position })
  return accesses
}

/** A condition on `tracker` and `project`. `self` is resolved only if a source uses it. */
function conditionOf(sources: readonly SelectSource[], viewer: Viewer, self: () => number): RawBuilder<boolean> {
  const ofTrackers = sources.find(({ subject }) => subject === 'tracker.name')
  const ofProjects = sources.find(({ subject }) => subject !== 'tracker.name')
  const inProject = ofProjects ? projectsIn(ofProjects, viewer, self) : isProject(self())
  const called = ofTrackers ? hasItemName(...namesIn(ofTrackers)) : sql<boolean>`true`
  return sql`(${inProject} and ${called})`
}

function projectsIn(source: SelectSource, viewer: Viewer, self: () => number): RawBuilder<boolean> {
  if (source.is === 'MY_PROJECTS') return isMemberOf(viewer, aliases('project'))
  if (source.subject === 'project.category') return sql`false` // Projects have no categories.
  const names = namesIn(source)
  const others = source.subject === 'project' ? names.filter((name) => !isSelf(name)) : names
  return others.length === names.length ? hasShortname(names) : sql`(${isProject(self())} or ${hasShortname(others)})`
}

function isProject(id: number): RawBuilder<boolean> {
  return sql`(project.id = ${id})`
}

function namesIn({ is }: SelectSource): readonly string[] {
  return is === 'MY_PROJECTS' ? [] : is.map(({ text }) => text)
}

function isSelf(name: string): boolean {
  return name.toLowerCase() === 'self'
}

/** The project that the query runs in. */
function selfOf({ project_id, widget_id }: CrossTrackerQuery, position: number): number {
  if (project_id !== undefined) return project_id
  // Widgets do not exist yet, so no widget has a project.
  if (widget_id !== undefined) throw new ApiError('reference_unknown', { path: 'query.widget_id', rule: 'exists' })
  return refuseText(TEXT, { reason: 'query_malformed', cause: 'no_source', position })
}

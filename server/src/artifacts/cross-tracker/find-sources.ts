import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { isNamed } from '../../projects/its-project.ts'
import { isMemberOf } from '../../projects/visibility.ts'
import { findSights, isCalled } from '../../trackers/find-sights.ts'
import { refuseText } from '../../trackers/search/bind-problems.ts'
import type { Select, Source } from '../../trackers/search/tql/syntax.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Asker } from '../writing/lookups.ts'
import { type Question, TEXT } from './question.ts'

/** The trackers that `FROM` names and the viewer sees. What he does not see is not there. */
export async function findSources(asker: Asker, question: Question, { sources }: Select): Promise<readonly Sight[]> {
  const { context, db, viewer } = asker
  const { query_trackers: maximum } = context.settings.current
  const position = sources[0]?.position ?? 0
  const meant = conditionOf(sources, viewer, () => selfOf(question, position))
  const sights = await findSights(context, db, viewer, meant, maximum)
  if (sights.length > maximum)
    refuseText(TEXT, {
      reason: 'parameter_out_of_range',
      rule: 'maximum',
      cause: 'too_many_trackers',
      position,
      allowed: { maximum },
    })
  if (sights.length === 0) refuseText(TEXT, { reason: 'query_malformed', cause: 'unknown_source', position })
  return sights
}

/** Of the rows of `tracker` and `project`. `self` is asked only where a source means it. */
function conditionOf(sources: readonly Source[], viewer: Viewer, self: () => number): RawBuilder<boolean> {
  const ofTrackers = sources.find(({ subject }) => subject === 'tracker.name')
  const ofProjects = sources.find(({ subject }) => subject !== 'tracker.name')
  const inProject = ofProjects ? projectsIn(ofProjects, viewer, self) : isProject(self())
  const called = ofTrackers ? isCalled(...namesIn(ofTrackers)) : sql<boolean>`true`
  return sql`(${inProject} and ${called})`
}

function projectsIn(source: Source, viewer: Viewer, self: () => number): RawBuilder<boolean> {
  if (source.is === 'MY_PROJECTS') return isMemberOf(viewer)
  if (source.subject === 'project.category') return sql`false` // Projects have none.
  const names = namesIn(source)
  const others = source.subject === 'project' ? names.filter((name) => !isSelf(name)) : names
  return others.length === names.length ? isNamed(names) : sql`(${isProject(self())} or ${isNamed(others)})`
}

function isProject(id: number): RawBuilder<boolean> {
  return sql`(project.id = ${id})`
}

function namesIn({ is }: Source): readonly string[] {
  return is === 'MY_PROJECTS' ? [] : is.map(({ text }) => text)
}

function isSelf(name: string): boolean {
  return name.toLowerCase() === 'self'
}

/** The project that the query is asked in. */
function selfOf({ project_id, widget_id }: Question, position: number): number {
  if (project_id !== undefined) return project_id
  // There are no widgets yet, so none has a project.
  if (widget_id !== undefined) throw new ApiError('reference_unknown', { path: 'query.widget_id', rule: 'exists' })
  return refuseText(TEXT, { reason: 'query_malformed', cause: 'no_source', position })
}

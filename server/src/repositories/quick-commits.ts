import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { apiDate } from '../platform/wire/dates.ts'
import { joinProject, labelOfProject, projectShortname } from '../projects/project-sql.ts'
import { usesService } from '../projects/project-services/uses-service.ts'
import { containsAllTerms, cropAround } from '../projects/search/crop.ts'
import type { QuickCommit, QuickQuery } from '../projects/search/quick-kind.ts'
import { matchesAllTerms } from '../projects/search/search-terms-sql.ts'
import { mayEnter } from '../projects/visibility.ts'
import { readLog, type VisibleRevision } from './browse/engine/read-log.ts'
import { withSession } from './browse/engine/session.ts'
import { openRepository } from './browse/open-repository.ts'
import { type RepositoryId, SVN_SERVICE } from './repository.ts'

const BATCH_SIZE = 50
/** Subversion decides on each commit, so the number of those that it is asked about is limited. */
const MAX_CANDIDATES = 200

interface Candidate {
  readonly repository_id: RepositoryId
  readonly name: string
  readonly shortname: string
  readonly label: string
  readonly revision: number
}

/** Commits by words of their messages, newest first. The message is shown to viewers who may read all changed paths. */
export async function findQuickCommits(query: QuickQuery): Promise<QuickCommit[]> {
  const { context, viewer, terms, limit } = query
  if (viewer.login === undefined || context.config.WAYPOST_SVN_ROOT === null || terms.length === 0) return []
  const found: QuickCommit[] = []
  for (let offset = 0; offset < MAX_CANDIDATES && found.length < limit; offset += BATCH_SIZE) {
    const candidates = await listCandidates(query, offset)
    const seen = await readCandidates(query, candidates)
    found.push(...candidates.flatMap((each) => representCommit(query, each, seen.get(keyOf(each)))))
    if (candidates.length < BATCH_SIZE) break
  }
  return found.slice(0, limit)
}

async function listCandidates(
  { context, viewer, terms, project }: QuickQuery,
  offset: number,
): Promise<readonly Candidate[]> {
  const isWithin = project === undefined ? sql`true` : sql`repository.project_id = ${project}`
  const { rows } = await sql<Candidate>`
    select repository.id as repository_id, repository.name, ${projectShortname} as shortname,
      ${labelOfProject(sql`repository.project_id`)} as label, repository_revision.revision
    from repository_revision join repository on repository.id = repository_revision.repository_id
      ${joinProject(sql`repository.project_id`)}
    where ${matchesAllTerms(sql`searchable(repository_revision.message)`, terms)} and ${isWithin}
      and repository.deleted_on is null and ${usesService(SVN_SERVICE)} and ${mayEnter(viewer, aliases('project'))}
    order by repository_revision.committed_on desc, repository.id, repository_revision.revision desc
    limit ${BATCH_SIZE} offset ${offset}`.execute(context.db)
  return rows
}

/** The visible part of each revision, by Subversion. */
async function readCandidates(
  { context, viewer }: QuickQuery,
  candidates: readonly Candidate[],
): Promise<Map<string, VisibleRevision>> {
  const seen = new Map<string, VisibleRevision>()
  for (const repository_id of new Set(candidates.map((each) => each.repository_id))) {
    const parts = candidates
      .filter((each) => each.repository_id === repository_id)
      .map(({ revision }) => ({ path: '/', from: revision, to: revision }))
    try {
      const { browsed } = await openRepository(context, viewer, repository_id)
      const logged = await withSession(browsed, 'own', (session) => readLog(session, browsed, parts))
      for (const each of logged) seen.set(keyOf({ repository_id, revision: each.revision }), each)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error // Its folder is missing, or it was hidden concurrently.
    }
  }
  return seen
}

function keyOf({ repository_id, revision }: Pick<Candidate, 'repository_id' | 'revision'>): string {
  return `${repository_id} ${revision}`
}

function representCommit(
  { terms }: QuickQuery,
  { repository_id, name, shortname, label, revision }: Candidate,
  seen: VisibleRevision | undefined,
): QuickCommit[] {
  const message = seen?.message ?? null
  if (!seen || message === null || !containsAllTerms(message, terms)) return []
  return [
    {
      uri: `svn/${repository_id}/revisions/${revision}`,
      html_url: `/projects/${shortname}/repositories/${name}/revisions/${revision}`,
      xref: `svn #${name}/${revision}`,
      message: cropAround(message, terms) ?? message,
      author_name: seen.author,
      date: seen.date && apiDate(seen.date),
      repository: { id: repository_id, uri: `svn/${repository_id}`, name },
      project: { shortname, label },
    },
  ]
}

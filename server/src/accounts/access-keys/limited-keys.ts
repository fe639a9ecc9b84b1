import type { Route } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'

/** First path segments of routes about projects, and of lists that are filtered by permissions. */
const PROJECT_PATHS: ReadonlySet<string> = new Set([
  'artifact_files',
  'artifacts',
  'crosstracker_query',
  'events',
  'imports',
  'project_services',
  'projects',
  'search',
  'svn',
  'tracker_fields',
  'tracker_reports',
  'tracker_workflow_transitions',
  'trackers',
  'user_groups',
  'version',
])

/** The own account, members of the projects, the key itself, link types, which are public, and the index. */
const ALSO_ALLOWED: ReadonlySet<string> = new Set([
  'getUser',
  'searchUsers',
  'getAccessKey',
  'listLinkTypes',
  'getLinkType',
  'getIndex',
])

/** A new project is outside of the limit; a webhook would read with all rights of the account. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['createProject', 'createProjectWebhook', 'createTrackerWebhook'])

/** A key that is limited to projects may call only routes about projects. */
export function requireProjectRoute({ credential }: Viewer, route: Pick<Route, 'path' | 'operationId'>): void {
  if (credential?.projects && !isAllowed(route)) throw new ApiError('credentials_projects')
}

function isAllowed({ path, operationId }: Pick<Route, 'path' | 'operationId'>): boolean {
  if (ALSO_ALLOWED.has(operationId)) return true
  return PROJECT_PATHS.has(path.split('/')[1] ?? '') && !NOT_ALLOWED.has(operationId)
}

/** Refuses operations that outlive the request with the full rights of the account, such as a new webhook. */
export function requireUnlimited({ credential }: Viewer): void {
  if (credential?.projects) throw new ApiError('credentials_projects')
}

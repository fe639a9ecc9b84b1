import type { Id } from '../platform/database/ids.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'
import type { Config } from '../platform/operation/config.ts'
import { resourcesBelow } from '../platform/wire/resources.ts'
import type { FoundProject } from '../projects/find-project.ts'
import { type ProjectId, representProjectMinimal } from '../projects/project.ts'
import type { Repository } from './schemas.ts'

export type RepositoryId = Id<'repository'>

/** Recipients of commit mails for changes below a path. */
export interface StoredNotification {
  readonly path: string
  readonly emails: readonly string[]
  readonly users: readonly AccountId[]
  /** Dynamic groups by their number, other groups by id. */
  readonly user_groups: readonly number[]
}

/** The rules of a repository, as stored. */
export interface RepositoryRules {
  readonly is_reference_mandatory: boolean
  readonly is_commit_message_change_allowed: boolean
  /** State labels: a commit must name an artifact in one of them. Empty: no restriction. */
  readonly required_states: readonly string[]
  /** The state to which a commit moves the artifact; null: no move. */
  readonly moves_to: string | null
  readonly immutable_paths: readonly string[]
  readonly immutable_whitelist: readonly string[]
  readonly notifications: readonly StoredNotification[]
}

/** The user-written part of the access file, and whether the default block grants anything. */
export interface AccessRules {
  readonly text: string
  readonly has_default_permissions: boolean
}

export interface RepositoryRow {
  id: RepositoryId
  project_id: ProjectId
  name: string
}

export const SVN_SERVICE = 'plugin_svn'

const NAME = /^[a-zA-Z][A-Za-z0-9_.-]{2,254}$/
/** Names of files and folders inside an svn repository. */
const RESERVED = new Set(['conf', 'hooks', 'db', 'locks', 'format'])

export function isRepositoryName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name.toLowerCase())
}

export function isSvnAdmin(viewer: Viewer, { is_admin, is_svn_admin }: FoundProject): boolean {
  return is_admin || is_svn_admin || viewer.is_site_admin === true
}

/** Omits the settings, which only administrators may read. */
export function representRepository(
  config: Config,
  { id, name }: RepositoryRow,
  project: FoundProject,
  viewer: Viewer,
): Repository {
  return {
    id,
    project: representProjectMinimal(project),
    uri: `svn/${id}`,
    name,
    svn_url: `${svnAddress(config)}/${project.shortname}/${name}`,
    resources: resourcesBelow(`svn/${id}`, [
      ...(viewer.account_id === undefined ? [] : ['tree', 'log', 'revisions']),
      ...(isSvnAdmin(viewer, project) ? ['access_files'] : []),
    ]),
  }
}

/** The base URL of repositories for svn clients, without a trailing slash. */
export function svnAddress({ WAYPOST_SVN_URL, WAYPOST_PUBLIC_URL }: Config): string {
  return (WAYPOST_SVN_URL ?? new URL('/svn', WAYPOST_PUBLIC_URL)).href.replace(/\/$/, '')
}

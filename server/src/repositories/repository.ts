import type { Id } from '../platform/database/ids.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { Config } from '../platform/operation/config.ts'
import { type Project, type ProjectId, representMinimal } from '../projects/project.ts'
import type { Repository } from './schemas.ts'

export type RepositoryId = Id<'repository'>

/** Whom to tell of commits below a path. */
export interface StoredNotification {
  readonly path: string
  readonly emails: readonly string[]
  readonly users: readonly AccountId[]
  /** A dynamic group by its number, another by its id. */
  readonly user_groups: readonly number[]
}

/** What a repository is ruled by, as it is stored. */
export interface RepositoryRules {
  readonly is_reference_mandatory: boolean
  readonly is_commit_message_change_allowed: boolean
  /** Labels of states, in one of which an artifact must be that a commit names; none: commits are free. */
  readonly required_states: readonly string[]
  /** The state to which a commit moves it; null: it stays. */
  readonly moves_to: string | null
  readonly immutable_paths: readonly string[]
  readonly immutable_whitelist: readonly string[]
  readonly notifications: readonly StoredNotification[]
}

/** The part of the access file that people write, and whether the block before it grants anything. */
export interface AccessRules {
  readonly text: string
  readonly has_default_permissions: boolean
}

export interface RepositoryRow {
  id: RepositoryId
  project_id: ProjectId
  name: string
}

export const SERVICE = 'plugin_svn'

const NAME = /^[a-zA-Z][A-Za-z0-9_.-]{2,254}$/
/** What a repository itself consists of. */
const RESERVED = new Set(['conf', 'hooks', 'db', 'locks', 'format'])

export function isRepositoryName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name.toLowerCase())
}

type Shown = Omit<Project, 'description' | 'is_member_of'>

/** Without its settings, which are for those who administer it. */
export function representRepository(config: Config, { id, name }: RepositoryRow, project: Shown): Repository {
  return {
    id,
    project: representMinimal(project),
    uri: `svn/${id}`,
    name,
    svn_url: `${svnAddress(config)}/${project.shortname}/${name}`,
  }
}

/** Where svn clients find repositories, without a slash at the end. */
export function svnAddress({ WAYPOST_SVN_URL, WAYPOST_PUBLIC_URL }: Config): string {
  return (WAYPOST_SVN_URL ?? new URL('/svn', WAYPOST_PUBLIC_URL)).href.replace(/\/$/, '')
}

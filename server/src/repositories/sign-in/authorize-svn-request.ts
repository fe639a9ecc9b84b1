import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { aliases } from '../../platform/database/aliases.ts'
import { requireUnlimited } from '../../accounts/access-keys/limited-keys.ts'
import { signInToSvn } from '../../accounts/sign-in/sign-in-to-svn.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Config } from '../../platform/operation/config.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { joinProject, projectShortname, projectStatus } from '../../projects/project-sql.ts'
import { usesService } from '../../projects/project-services/uses-service.ts'
import type { ProjectStatus } from '../../projects/project.ts'
import { mayEnter } from '../../projects/visibility.ts'
import { requireUnarchived } from '../../projects/writable-project.ts'
import { refreshAccessFile } from '../access/refresh-access-file.ts'
import { accessStamp } from '../access/load-access-inputs.ts'
import { getSvnFolders } from '../disk/svn-folders.ts'
import { type RepositoryId, SVN_SERVICE } from '../repository.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly lastSvnViewers: LastViewers
  }
}

/** A request as Apache describes it. */
export interface SvnRequest {
  /** The path that Apache would serve, after it has normalized the URL. */
  readonly served: string
  readonly login: string
  readonly secret: string
  readonly address: string
  readonly method: string
}

/** Methods that read; all others belong to a commit or a lock. */
const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT'])

/**
 * Authenticates first, so that the response reveals no names; then a hidden or absent repository is not found. Apache
 * applies path rights from the access file.
 */
export async function authorizeSvnRequest(context: Context, request: SvnRequest): Promise<Viewer> {
  const { served, login, secret, address } = request
  const use = READ_METHODS.has(request.method) ? 'read' : 'write'
  const [shortname = '', name = ''] = parseServedPath(context.config, served)
  const find = (viewer: Viewer) => findServedRepository(context, viewer, shortname, name)
  // One svn commit sends six auth requests: look up the repository for the login's last viewer while authenticating.
  const before = context.lastSvnViewers.get(login)
  const [viewer, foundBefore] = await Promise.all([
    signInToSvn(context, { login, address, request_id: null }, secret, use),
    before && find(before),
  ])
  const found = isDeepStrictEqual(viewer, before) ? foundBefore : await find(viewer)
  context.lastSvnViewers.set(login, viewer)
  if (!found) throw new ApiError('not_found')
  if (use === 'write') requireUnarchived(found.project_status)
  // Such a commit reads and moves artifacts in any project, so a key limited to projects is not enough.
  if (use === 'write' && found.is_tied_to_workflow) requireUnlimited(viewer)
  await refreshAccessFile(context, { id: found.id, shortname, name }, found.stamp)
  return viewer
}

/** The last viewer per login. A hint only: it is used if authentication returns the same viewer. */
type LastViewers = LRUCache<string, Viewer>

export function createLastViewers(): LastViewers {
  return new LRUCache({ max: 1000 })
}

/** The project and repository name of a request. */
function parseServedPath(config: Config, served: string): readonly string[] {
  const before = `dav_svn:${getSvnFolders(config).repositories}/`
  return served.startsWith(before) ? served.slice(before.length).split('/', 2) : []
}

interface ServedRepository {
  readonly id: RepositoryId
  readonly stamp: string
  readonly is_tied_to_workflow: boolean
  readonly project_status: ProjectStatus
}

async function findServedRepository({ db }: Context, viewer: Viewer, shortname: string, name: string) {
  const { rows } = await sql<ServedRepository>`
    select repository.id, ${accessStamp} as stamp, cardinality(repository.required_states) > 0 as is_tied_to_workflow,
      ${projectStatus} as project_status
    from repository ${joinProject(sql`repository.project_id`)}
    where ${projectShortname} = ${shortname} and repository.name = ${name} and repository.deleted_on is null
      and ${usesService(SVN_SERVICE)} and ${mayEnter(viewer, aliases('project'))}`.execute(db)
  return rows[0]
}

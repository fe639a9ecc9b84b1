import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { signInToSvn } from '../../accounts/sign-in/sign-in-to-svn.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Config } from '../../platform/operation/config.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import { usesService } from '../../projects/project-services/uses-service.ts'
import { mayEnter } from '../../projects/visibility.ts'
import { keepAccessFile } from '../access/keep-access-file.ts'
import { accessStamp } from '../access/read-ground.ts'
import { placesOf } from '../disk/places.ts'
import { type RepositoryId, SERVICE } from '../repository.ts'
import { ShortMemory } from '../../platform/operation/short-memory.ts'

/** What Apache tells of a request. */
export interface SvnRequest {
  /** Where Apache would serve it from: what it has made of the address, however that was spelled. */
  readonly served: string
  readonly login: string
  readonly secret: string
  readonly address: string
}

/**
 * Who comes to which repository. The secret is looked at first, so that nobody learns from the answer what there is; then
 * a repository that is hidden or absent is not found. Which paths he may read, Apache finds in the access file.
 */
export async function letIn(context: Context, { served, login, secret, address }: SvnRequest): Promise<Viewer> {
  const [shortname = '', name = ''] = placeOf(context.config, served)
  const find = (viewer: Viewer) => findServed(context, viewer, shortname, name)
  // A commit comes by six times: who it was before is looked up together with what he would find, if it still is him.
  const before = CAME.get(login)
  const [viewer, foundBefore] = await Promise.all([
    signInToSvn(context, { login, address, request_id: null }, secret),
    before && find(before),
  ])
  const found = isDeepStrictEqual(viewer, before) ? foundBefore : await find(viewer)
  CAME.set(login, viewer)
  if (!found) throw new ApiError('not_found')
  await keepAccessFile(context, { id: found.id, shortname, name }, found.stamp)
  return viewer
}

/** As whom each login came last. Never believed: only compared with whom it is now. */
const CAME = new ShortMemory<string, Viewer>(1000)

/** Project and name of the repository that a request is for. */
function placeOf(config: Config, served: string): readonly string[] {
  const before = `dav_svn:${placesOf(config).repositories}/`
  return served.startsWith(before) ? served.slice(before.length).split('/', 2) : []
}

async function findServed({ db }: Context, viewer: Viewer, shortname: string, name: string) {
  const { rows } = await sql<{ id: RepositoryId; stamp: string }>`
    select repository.id, ${accessStamp} as stamp from repository ${itsProject(sql`repository.project_id`)}
    where ${shortnameOf} = ${shortname} and repository.name = ${name} and repository.deleted_on is null
      and ${usesService(SERVICE)} and ${mayEnter(viewer)}`.execute(db)
  return rows[0]
}

import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Tx } from '../platform/database/db.ts'
import { idParam, writeRoute } from '../platform/http/route.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import { requireVersion } from '../platform/wire/etag.ts'
import { ApiError } from '../platform/words/errors.ts'
import { checkSettings } from './check-settings.ts'
import { findRepository, requireActive, requireSvnAdmin, type StoredRepository } from './find-repository.ts'
import { readSettings, type ReadSettings } from './read-settings.ts'
import { type RepositoryId, representRepository } from './repository.ts'
import { representSettings } from './represent-settings.ts'
import { Repository, WholeSettings } from './schemas.ts'
import { columnsOf, insertAccessFile } from './store-repository.ts'

export const updateRepository = writeRoute({
  method: 'PUT',
  path: '/svn/:id',
  operationId: 'updateRepository',
  summary: 'Replace the settings of a Subversion repository, all of them; in force for the next request.',
  access: 'signed_in',
  action: 'repository.update',
  params: { id: idParam<RepositoryId>('The repository.') },
  body: Type.Object({ settings: WholeSettings }),
  checkBody({ settings: { layout, ...settings } }) {
    if (layout !== undefined) throw new ApiError('member_unknown', { path: 'settings.layout', rule: 'unknown_member' })
    checkSettings(settings)
  },
  answer: Repository,
  versioned: true,
  async handle({ context, viewer, params, body, headers, language }, work) {
    const { tx } = work
    const { repository, project } = await findRepository(tx, viewer, params.id, 'locked')
    requireSvnAdmin(viewer, project)
    requireVersion(headers['if-match'], versionOf(repository))
    requireActive(project)
    const { layout: _, ...settings } = body.settings
    const wanted = await readSettings({ context, tx, viewer, project_id: project.id }, settings)

    const made = { by: viewer.account_id ?? null, on: context.clock.now() }
    const after = await store(tx, repository, wanted, made)
    if (after !== repository) {
      const object = `svn/${repository.id}`
      const differences = differing(factsOf(repository), factsOf(after))
      await work.change({ object, op: 'update', project_id: project.id, ...differences })
      await work.tell({
        type: 'svn.changed',
        object,
        project_id: project.id,
        payload: { changed: Object.keys(differences.after) },
      })
    }
    return {
      body: {
        ...representRepository(context.config, after, project),
        settings: await representSettings({ context, db: tx, viewer, language }, after),
        ...(wanted.warnings.length > 0 && { warnings: [...wanted.warnings] }),
      },
      version: versionOf(after),
    }
  },
})

function versionOf({ id, version }: StoredRepository) {
  return { kind: 'repository', id, version }
}

/** The same repository, if nothing of it changes. A text that is another one makes a new version of the access file. */
async function store(
  tx: Tx,
  before: StoredRepository,
  { rules, access }: ReadSettings,
  made: { by: AccountId | null; on: Date },
): Promise<StoredRepository> {
  const isSameAccess = isDeepStrictEqual(before.access, access)
  const access_version = isSameAccess ? before.access_version : await nextAccessVersion(tx, before.id)
  const after = { ...before, ...rules, access, access_version, version: before.version + 1 }
  if (isDeepStrictEqual(factsOf(before), factsOf(after))) return before
  const { id, project_id } = before
  if (!isSameAccess)
    await insertAccessFile(tx, { project_id, repository_id: id, version: access_version, access }, made)
  await tx
    .updateTable('repository')
    .set({ ...columnsOf(rules), access_version, version: after.version })
    .where('id', '=', id)
    .execute()
  return after
}

async function nextAccessVersion(tx: Tx, id: RepositoryId): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select max(version) + 1 as next from repository_access_file where repository_id = ${id}`.execute(tx)
  return rows[0]?.next ?? 1
}

function factsOf(repository: StoredRepository): Map<string, unknown> {
  const { access, is_reference_mandatory, is_commit_message_change_allowed, required_states, moves_to } = repository
  const { immutable_paths, immutable_whitelist, notifications } = repository
  return new Map<string, unknown>([
    ['commit_rules', { is_reference_mandatory, is_commit_message_change_allowed, required_states, moves_to }],
    ['immutable_tags', { paths: immutable_paths, whitelist: immutable_whitelist }],
    ['access_file', access.text],
    ['has_default_permissions', access.has_default_permissions],
    ['email_notifications', notifications],
  ])
}

function differing(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>) {
  const names = [...after.keys()].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)))
  const only = (facts: ReadonlyMap<string, unknown>) => Object.fromEntries(names.map((name) => [name, facts.get(name)]))
  return { before: only(before), after: only(after) }
}

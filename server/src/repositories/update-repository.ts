import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Tx } from '../platform/database/db.ts'
import { idParam, writeRoute } from '../platform/http/route.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import { requireVersion } from '../platform/wire/etag.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { checkSettings } from './check-settings.ts'
import { findRepository, assertProjectActive, requireSvnAdmin, type StoredRepository } from './find-repository.ts'
import { resolveSettings, type ResolvedSettings } from './resolve-settings.ts'
import { type RepositoryId, representRepository } from './repository.ts'
import { representSettings } from './represent-settings.ts'
import { Repository, WholeRepositorySettings } from './schemas.ts'
import { toRepositoryColumns, insertAccessFile } from './store-repository.ts'

export const updateRepository = writeRoute({
  method: 'PUT',
  path: '/svn/:id',
  operationId: 'updateRepository',
  summary: 'Replace the settings of a Subversion repository, all of them; in force for the next request.',
  description:
    'Replaces commit rules, immutable tags, access file and mails. Project administrators. An access file that Subversion refuses is 400, with its message.',
  access: 'signed_in',
  action: 'repository.update',
  params: { id: idParam<RepositoryId>('The repository.') },
  body: Type.Object({ settings: WholeRepositorySettings }),
  bodyRules: {
    check({ settings: { layout, ...settings } }) {
      if (layout !== undefined)
        throw new ApiError('member_unknown', { path: 'settings.layout', rule: 'unknown_member' })
      checkSettings(settings)
    },
  },
  answer: Repository,
  versioned: true,
  async handle({ context, viewer, params, body, headers, language }, work) {
    const { tx } = work
    const { repository, project } = await findRepository(tx, viewer, params.id, 'locked')
    requireSvnAdmin(viewer, project)
    requireVersion(headers['if-match'], repositoryVersion(repository))
    assertProjectActive(project)
    const { layout: _, ...settings } = body.settings
    const wanted = await resolveSettings({ context, tx, viewer, project_id: project.id }, settings)

    const made = { by: viewer.account_id ?? null, on: context.clock.now() }
    const after = await storeSettings(tx, repository, wanted, made)
    if (after !== repository) {
      const object = `svn/${repository.id}`
      const differences = changedSettings(settingsByName(repository), settingsByName(after))
      await work.change({ object, op: 'update', project_id: project.id, ...differences })
      await work.recordEvent({
        type: 'svn.changed',
        object,
        project_id: project.id,
        payload: { changed: Object.keys(differences.after) },
      })
    }
    return {
      body: {
        ...representRepository(context.config, after, project, viewer),
        settings: await representSettings({ context, db: tx, viewer, language }, after),
        ...(wanted.warnings.length > 0 && { warnings: [...wanted.warnings] }),
      },
      version: repositoryVersion(after),
    }
  },
})

function repositoryVersion({ id, version }: StoredRepository) {
  return { kind: 'repository', id, version }
}

/** Returns the same repository if nothing changes. A changed text creates a new version of the access file. */
async function storeSettings(
  tx: Tx,
  before: StoredRepository,
  { rules, access }: ResolvedSettings,
  made: { by: AccountId | null; on: Date },
): Promise<StoredRepository> {
  const isSameAccess = isDeepStrictEqual(before.access, access)
  const access_version = isSameAccess ? before.access_version : await nextAccessVersion(tx, before.id)
  const after = { ...before, ...rules, access, access_version, version: before.version + 1 }
  if (isDeepStrictEqual(settingsByName(before), settingsByName(after))) return before
  const { id, project_id } = before
  if (!isSameAccess)
    await insertAccessFile(tx, { project_id, repository_id: id, version: access_version, access }, made)
  await tx
    .updateTable('repository')
    .set({ ...toRepositoryColumns(rules), access_version, version: after.version })
    .where('id', '=', id)
    .execute()
  return after
}

async function nextAccessVersion(tx: Tx, id: RepositoryId): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select max(version) + 1 as next from repository_access_file where repository_id = ${id}`.execute(tx)
  return rows[0]?.next ?? 1
}

function settingsByName(repository: StoredRepository): Map<string, unknown> {
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

function changedSettings(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>) {
  const names = [...after.keys()].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)))
  const only = (facts: ReadonlyMap<string, unknown>) => Object.fromEntries(names.map((name) => [name, facts.get(name)]))
  return { before: only(before), after: only(after) }
}

import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '../platform/database/db.ts'
import { writeRoute } from '../platform/http/route.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { findReferencedProject, type FoundProject } from '../projects/find-project.ts'
import { oneProject } from '../projects/project-sql.ts'
import { usesService } from '../projects/project-services/uses-service.ts'
import { checkSettings } from './check-settings.ts'
import { makeRepository } from './disk/make-repository.ts'
import { getSvnFolders } from './disk/svn-folders.ts'
import { serveProject } from './disk/serve-project.ts'
import { recordLayout } from './revisions/record-revisions.ts'
import { assertProjectActive, requireSvnAdmin } from './find-repository.ts'
import { resolveSettings } from './resolve-settings.ts'
import { isRepositoryName, representRepository, SVN_SERVICE } from './repository.ts'
import { representSettings } from './represent-settings.ts'
import { NewRepositorySettings, Repository } from './schemas.ts'
import { insertRepository } from './store-repository.ts'

export const createRepository = writeRoute({
  method: 'POST',
  path: '/svn',
  operationId: 'createRepository',
  summary: 'Create a Subversion repository; as soon as this is answered, it can be checked out.',
  description:
    'Creates a repository with optional directories and settings. Project administrators. A name that is taken is 409; reserved names and a broken access file are refused.',
  access: 'signed_in',
  action: 'repository.create',
  body: Type.Object({
    project_id: Type.Integer(),
    name: Type.String({ description: '3 to 255 letters, digits, `-`, `_` and `.`, beginning with a letter.' }),
    settings: Type.Optional(NewRepositorySettings),
  }),
  bodyRules: { check: ({ settings }) => checkSettings(settings ?? {}) },
  answer: Repository,
  status: 201,
  versioned: true,
  dryRun: { omits: ['id', 'uri', 'resources'] },
  // Reload Apache before the transaction begins: it may take seconds and must hold neither locks nor a connection.
  async prepare({ context, viewer, body: { project_id, name }, isDryRun = false }) {
    const project = await findReferencedProject(context.db, viewer, project_id)
    requireSvnAdmin(viewer, project)
    assertProjectActive(project)
    await assertSvnEnabled(context.db, project)
    if (!isDryRun && isRepositoryName(name)) await serveProject(context.config, project.shortname)
  },
  async handle({ context, viewer, body: { project_id, name, settings = {} }, language }, work) {
    const { tx } = work
    const project = await findReferencedProject(tx, viewer, project_id)
    requireSvnAdmin(viewer, project)
    assertProjectActive(project)
    await assertSvnEnabled(tx, project)
    getSvnFolders(context.config) // Throws if no repository root is configured.
    const { rules, access, warnings } = await resolveSettings({ context, tx, viewer, project_id: project.id }, settings)
    if (!isRepositoryName(name)) throw new ApiError('repository_name_invalid', { path: 'name', rule: 'pattern' })

    const made = { by: viewer.account_id ?? null, on: context.clock.now() }
    const id = await insertRepository(tx, { project_id: project.id, name, rules, access }, made)
    await work.change({
      object: 'svn',
      made: `svn/${id}`,
      op: 'create',
      project_id: project.id,
      after: {
        project_id: project.id,
        name,
        ...rules,
        access_file: access.text,
        has_default_permissions: access.has_default_permissions,
      },
    })
    await work.recordEvent({ type: 'svn.created', object: `svn/${id}`, project_id: project.id })
    if ((settings.layout ?? []).length > 0) await recordLayout(tx, { id, project_id: project.id }, made)
    // Last step: a failure here rolls the row back; a failure later leaves a folder that Apache cannot serve.
    if (!work.isDryRun)
      await makeRepository(
        context.config,
        { id, shortname: project.shortname, name },
        { layout: settings.layout ?? [], author: viewer.login ?? 'waypost' },
      )
    const shown = { id, project_id: project.id, name, ...rules, access }
    return {
      body: {
        ...representRepository(context.config, shown, project, viewer),
        settings: await representSettings({ context, db: tx, viewer, language }, shown),
        ...(warnings.length > 0 && { warnings: [...warnings] }),
      },
      location: `svn/${id}`,
      version: { kind: 'repository', id, version: 1 },
    }
  },
})

async function assertSvnEnabled(tx: Db | Tx, { id }: FoundProject): Promise<void> {
  const { rows } = await sql<{ is_used: boolean }>`
    select ${usesService(SVN_SERVICE)} as is_used from ${oneProject(id)}`.execute(tx)
  if (!rows[0]?.is_used) throw new ApiError('service_disabled')
}

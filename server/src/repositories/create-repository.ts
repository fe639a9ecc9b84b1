import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Tx } from '../platform/database/db.ts'
import { writeRoute } from '../platform/http/route.ts'
import { ApiError } from '../platform/words/errors.ts'
import { findNamedProject, type FoundProject } from '../projects/find-project.ts'
import { oneProject } from '../projects/its-project.ts'
import { usesService } from '../projects/project-services/uses-service.ts'
import { checkSettings } from './check-settings.ts'
import { makeRepository } from './disk/make-repository.ts'
import { placesOf } from './disk/places.ts'
import { recordLayout } from './revisions/record-revisions.ts'
import { requireActive, requireSvnAdmin } from './find-repository.ts'
import { readSettings } from './read-settings.ts'
import { isRepositoryName, representRepository, SERVICE } from './repository.ts'
import { representSettings } from './represent-settings.ts'
import { NewSettings, Repository } from './schemas.ts'
import { insertRepository } from './store-repository.ts'

export const createRepository = writeRoute({
  method: 'POST',
  path: '/svn',
  operationId: 'createRepository',
  summary: 'Create a Subversion repository; as soon as this is answered, it can be checked out.',
  access: 'signed_in',
  action: 'repository.create',
  body: Type.Object({
    project_id: Type.Integer(),
    name: Type.String({ description: '3 to 255 letters, digits, `-`, `_` and `.`, beginning with a letter.' }),
    settings: Type.Optional(NewSettings),
  }),
  checkBody: ({ settings }) => checkSettings(settings ?? {}),
  answer: Repository,
  status: 201,
  versioned: true,
  givenByWrite: ['id', 'uri'],
  async handle({ context, viewer, body: { project_id, name, settings = {} }, language }, work) {
    const { tx } = work
    const project = await findNamedProject(tx, viewer, project_id)
    requireSvnAdmin(viewer, project)
    requireActive(project)
    await requireService(tx, project)
    placesOf(context.config) // Without a place for it there is no repository.
    const { rules, access, warnings } = await readSettings({ context, tx, viewer, project_id: project.id }, settings)
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
    await work.tell({ type: 'svn.created', object: `svn/${id}`, project_id: project.id })
    if ((settings.layout ?? []).length > 0) await recordLayout(tx, { id, project_id: project.id }, made)
    // The last step: what fails here leaves no row, and what fails later leaves a folder that nobody can reach.
    if (!work.isDryRun)
      await makeRepository(
        context.config,
        { id, shortname: project.shortname, name },
        { layout: settings.layout ?? [], author: viewer.login ?? 'waypost' },
      )
    const shown = { id, project_id: project.id, name, ...rules, access }
    return {
      body: {
        ...representRepository(context.config, shown, project),
        settings: await representSettings({ context, db: tx, viewer, language }, shown),
        ...(warnings.length > 0 && { warnings: [...warnings] }),
      },
      location: `svn/${id}`,
      version: { kind: 'repository', id, version: 1 },
    }
  },
})

async function requireService(tx: Tx, { id }: FoundProject): Promise<void> {
  const { rows } = await sql<{ is_used: boolean }>`
    select ${usesService(SERVICE)} as is_used from ${oneProject(id)}`.execute(tx)
  if (!rows[0]?.is_used) throw new ApiError('service_disabled')
}

import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Tx } from '../../platform/database/db.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findWritableProject } from '../../projects/writable-project.ts'
import { findProjectLinkTypes, lockLinkType, requireLinkType, requireOwnLinkType } from './find-link-type.ts'
import { linkTypeParam, ProjectLinkType, representProjectLinkType } from './represent-link-type.ts'

export const switchProjectLinkType = writeRoute({
  method: 'PUT',
  path: '/projects/:id/link_types/:name',
  operationId: 'switchProjectLinkType',
  summary: 'Enable or disable new links of a type in a project. Existing links are kept.',
  description:
    'Decides whether new links in the project may have the type; existing links stay. Project administrators. A type of the platform cannot be switched off; others get 403.',
  access: 'signed_in',
  action: 'project.link_type',
  notifies: true,
  params: { id: idParam<ProjectId>('The project.'), name: linkTypeParam },
  body: Type.Object({ enabled: Type.Boolean() }),
  answer: ProjectLinkType,
  async handle({ viewer, params: { id, name }, body: { enabled } }, work) {
    const { id: project_id } = await findWritableProject(work.tx, viewer, id)
    await lockLinkType(work.tx, name, 'change')
    const type = requireLinkType(await findProjectLinkTypes(work.tx, project_id), name)
    if (!enabled) requireOwnLinkType(type)
    if (type.is_enabled !== enabled) {
      await storeSwitch(work.tx, project_id, name, enabled)
      await work.change({
        object: `projects/${project_id}/link_types/${name}`,
        op: 'update',
        project_id,
        before: { enabled: type.is_enabled },
        after: { enabled },
      })
      await work.recordEvent({
        type: 'project.changed',
        object: `projects/${project_id}`,
        project_id,
        payload: { changed: ['link_types'] },
      })
    }
    return { body: representProjectLinkType(project_id, { ...type, is_enabled: enabled }) }
  },
})

async function storeSwitch(tx: Tx, project: ProjectId, name: string, enabled: boolean): Promise<void> {
  await (enabled
    ? sql`delete from disabled_link_type where project_id = ${project} and shortname = ${name}`
    : sql`insert into disabled_link_type (project_id, shortname) values (${project}, ${name})`
  ).execute(tx)
}

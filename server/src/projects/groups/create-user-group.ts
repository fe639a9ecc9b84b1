import { Type } from 'typebox'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { findReferencedProject, requireProjectAdmin } from '../find-project.ts'
import type { ProjectId, UserGroupId } from '../project.ts'
import { bumpRightsEpoch } from '../membership.ts'
import { requireWritable } from '../writable-project.ts'
import { representStaticGroup, TAKEN_NAMES, UserGroup, withProject } from './user-group.ts'

const NAME = /^[a-zA-Z0-9_-]{1,255}$/

export const createUserGroup = writeRoute({
  method: 'POST',
  path: '/user_groups',
  operationId: 'createUserGroup',
  summary: 'Create a user group in a project.',
  description:
    'Creates a group, to which permissions can be given. Project administrators. A short name that is taken is refused; a project that you may not see is 400.',
  access: 'signed_in',
  action: 'user_group.create',
  notifies: true,
  body: Type.Object({
    project_id: Type.Integer(),
    short_name: Type.String({ trim: true, description: 'Letters, digits, `_` and `-`.' }),
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
  }),
  answer: UserGroup,
  status: 201,
  dryRun: { omits: ['id', 'uri', 'users_uri'] },
  async handle({ context, viewer, body: { project_id, short_name, description = '' } }, work) {
    requireGroupName(short_name)
    const project = await findReferencedProject(work.tx, viewer, project_id)
    requireProjectAdmin(viewer, project)
    requireWritable(project)
    const id = await insertGroup(work.tx, project.id, { short_name, description }, context.clock.now())
    await bumpRightsEpoch(work.tx, project.id)
    await work.change({
      object: 'user_groups',
      made: `user_groups/${id}`,
      op: 'create',
      project_id: project.id,
      after: { project_id: project.id, short_name, description },
    })
    await work.recordEvent({
      type: 'project.changed',
      object: `projects/${project.id}`,
      project_id: project.id,
      payload: { changed: ['user_groups'] },
    })
    return { body: withProject(representStaticGroup({ id, short_name }), project), location: `user_groups/${id}` }
  },
})

/** Refuses invalid names and those of groups of the platform. */
export function requireGroupName(short_name: string): void {
  if (!NAME.test(short_name)) throw new ApiError('name_invalid', { path: 'short_name', rule: 'pattern' })
  if (TAKEN_NAMES.has(short_name.toLowerCase())) throw nameTaken()
}

async function insertGroup(
  tx: Tx,
  project_id: ProjectId,
  group: { short_name: string; description: string },
  created_on: Date,
): Promise<UserGroupId> {
  const row = await tx
    .insertInto('user_group')
    .values({ project_id, ...group, created_on })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) throw nameTaken()
  return row.id
}

function nameTaken(): ApiError {
  return new ApiError('name_taken', { path: 'short_name', rule: 'unique' })
}

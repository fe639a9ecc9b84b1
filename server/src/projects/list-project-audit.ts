import { sql } from 'kysely'
import { Type } from 'typebox'
import { findLogins } from '../accounts/users/find-users-by.ts'
import { recordAudit } from '../platform/database/audit.ts'
import { readAudit } from '../platform/database/read-audit.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import { findProject, requireProjectAdmin } from './find-project.ts'
import type { ProjectId } from './project.ts'

const nullableString = Type.Union([Type.String(), Type.Null()])

export const listProjectAudit = readRoute({
  method: 'GET',
  path: '/projects/:id/audit',
  operationId: 'listProjectAudit',
  summary: 'List the audit log of a project, newest first.',
  description:
    'Lists administrative changes of the project, with actor, time, and the values before and after. Project administrators. Other members get 403.',
  access: 'signed_in',
  params: { id: idParam<ProjectId>('The project.') },
  pages: { default: 50, min: 1, max: 1000 },
  answer: Type.Array(
    Type.Object(
      {
        id: Type.Integer(),
        on: Type.String({ description: 'With microseconds.' }),
        actor: Type.Union([Type.Object({ id: Type.Integer(), username: Type.String() }), Type.Null()]),
        action: Type.String(),
        object: nullableString,
        project: Type.Object({ id: Type.Integer(), label: Type.String() }),
        outcome: Type.Enum(['done', 'refused']),
        before: Type.Unknown(),
        after: Type.Unknown(),
        reason: nullableString,
        request_id: nullableString,
      },
      { title: 'ProjectAuditEntry' },
    ),
  ),
  async handle({ context, viewer, params, page, origin }) {
    const { db } = context
    const project = await findProject(db, viewer, params.id)
    requireProjectAdmin(viewer, project)
    const { id, label } = project
    const { rows, size, next } = await readAudit(db, sql`audit.project_id = ${id}`, page)
    const logins = await findLogins(
      db,
      rows.flatMap(({ actor_id }) => actor_id ?? []),
    )
    await recordAudit(db, origin, { action: 'audit.read', object: `projects/${id}/audit`, project_id: id })
    const body = rows.map(({ actor_id, ...row }) => ({
      id: row.id,
      on: row.on,
      actor: actor_id === null ? null : { id: actor_id, username: logins.get(actor_id) ?? '' },
      action: row.action,
      object: row.object,
      project: { id, label },
      outcome: row.outcome,
      before: row.before,
      after: row.after,
      reason: row.reason,
      request_id: row.request_id,
    }))
    return { body, size, next }
  },
})

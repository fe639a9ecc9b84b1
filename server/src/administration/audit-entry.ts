import { type Static, Type } from 'typebox'
import { findLogins } from '../accounts/users/find-users-by.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { AuditRow } from '../platform/database/read-audit.ts'
import { projectLabels } from '../projects/project-labels.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const AuditEntrySchema = Type.Object(
  {
    id: Type.Integer(),
    on: Type.String({ description: 'With microseconds.' }),
    actor: Type.Union([Type.Object({ id: Type.Integer(), username: Type.String() }), Type.Null()]),
    credential: Type.Union([
      Type.Object({ kind: Type.String(), id: Type.Union([Type.Integer(), Type.String(), Type.Null()]) }),
      Type.Null(),
    ]),
    address: text,
    action: Type.String(),
    object: text,
    project: Type.Union([Type.Object({ id: Type.Integer(), label: Type.String() }), Type.Null()]),
    outcome: Type.Enum(['done', 'refused']),
    before: Type.Unknown({ description: 'What changed, as it was; null where there was nothing.' }),
    after: Type.Unknown({ description: 'What changed, as it is; null where there is nothing.' }),
    reason: text,
    request_id: text,
  },
  { title: 'AuditEntry' },
)
export type AuditEntrySchema = Static<typeof AuditEntrySchema>

/** The log stores ids only; names are the current ones. */
export async function representAudit(db: Db | Tx, rows: readonly AuditRow[]): Promise<AuditEntrySchema[]> {
  const logins = await findLogins(db, distinct(rows.map(({ actor_id }) => actor_id)))
  const labels = await projectLabels(db, distinct(rows.map(({ project_id }) => project_id)))
  return rows.map(({ actor_id, project_id, credential_kind, credential_id, ...row }) => ({
    ...row,
    actor: actor_id === null ? null : { id: actor_id, username: logins.get(actor_id) ?? '' },
    project: project_id === null ? null : { id: project_id, label: labels.get(project_id) ?? '' },
    credential: credential_kind === null ? null : { kind: credential_kind, id: numberOrText(credential_id) },
  }))
}

function distinct(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.flatMap((id) => id ?? []))]
}

/** Keys have numeric ids, sessions have text ids. */
function numberOrText(id: string | null): number | string | null {
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : id
}

import { Type } from 'typebox'

/** The changes and notifications of a write. */
const report = {
  changes: Type.Array(
    Type.Object({
      object: Type.String(),
      op: Type.Enum(['create', 'update', 'delete']),
      fields: Type.Array(
        Type.Object({
          field_id: Type.Optional(Type.Integer()),
          name: Type.String(),
          before: Type.Unknown(),
          after: Type.Unknown(),
        }),
      ),
    }),
  ),
  rules: Type.Array(
    Type.Object({
      rule: Type.String(),
      name: Type.String(),
      effect: Type.String(),
      field_id: Type.Optional(Type.Integer()),
    }),
  ),
  notified: Type.Array(
    Type.Object({ user: Type.Unknown(), channel: Type.String(), why: Type.String() }, { title: 'Notified' }),
  ),
}

export const DryRunReport = Type.Object(report, { title: 'DryRunReport' })

/** The response of a dry run: the would-be answer, changes and notifications. */
export const DryRunSchema = Type.Object(
  {
    dry_run: Type.Object({
      status: Type.Integer({ description: 'The status of the real write.' }),
      would_answer: Type.Unknown({ description: 'Its body; members that only a real write generates are null.' }),
      ...report,
    }),
  },
  { title: 'DryRun' },
)

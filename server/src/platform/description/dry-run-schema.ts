import { Type } from 'typebox'

/** What a write would change and tell. */
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

/** What a dry run answers: what the write would answer, change and tell. */
export const DryRunSchema = Type.Object(
  {
    dry_run: Type.Object({
      status: Type.Integer({ description: 'The status of the real write.' }),
      would_answer: Type.Unknown({ description: 'Its body; what only a real write can give is null.' }),
      ...report,
    }),
  },
  { title: 'DryRun' },
)

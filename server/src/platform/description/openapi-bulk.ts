import { Type } from 'typebox'
import { DryRunReport } from './dry-run-schema.ts'

const Count = Type.Integer({ minimum: 0 })

/** Each line of the answer but the last. */
const LineSchema = Type.Object({
  line: Type.Integer({ minimum: 1, description: 'The number of the line that it answers.' }),
  status: Type.Integer({ description: 'The status that the single write would have had.' }),
  id: Type.Union([Type.Integer(), Type.Null()]),
  etag: Type.Optional(Type.String({ description: 'Good for `If-Match`.' })),
  error: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'As in every refusal.' })),
  dry_run: Type.Optional(DryRunReport),
})

const DoneSchema = Type.Object({
  done: Type.Object(
    {
      lines: Count,
      succeeded: Count,
      unchanged: Count,
      failed: Count,
      stopped: Type.Boolean({ description: 'Not every line was looked at.' }),
      replayed: Type.Optional(Type.Boolean({ description: 'Parts of it were answered before, under the same key.' })),
    },
    { description: 'Always the last line: without it the stream was cut.' },
  ),
})

export const BulkAnswerSchema = Type.Union([LineSchema, DoneSchema])

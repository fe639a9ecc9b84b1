import { Type } from 'typebox'
import { DryRunReport } from './dry-run-schema.ts'

const Count = Type.Integer({ minimum: 0 })

/** Each line of the response except the last. */
const LineSchema = Type.Object({
  line: Type.Integer({ minimum: 1, description: 'The number of the request line; of CSV, where the row begins.' }),
  status: Type.Integer({ description: 'The status that the single write would have had.' }),
  id: Type.Union([Type.Integer(), Type.Null()]),
  etag: Type.Optional(Type.String({ description: 'For `If-Match`.' })),
  error: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'As in every error.' })),
  dry_run: Type.Optional(DryRunReport),
  ignored: Type.Optional(Type.Array(Type.String(), { description: 'Members of the line that were not read.' })),
})

const DoneSchema = Type.Object({
  done: Type.Object(
    {
      lines: Count,
      succeeded: Count,
      unchanged: Count,
      failed: Count,
      stopped: Type.Boolean({ description: 'Not all lines were processed.' }),
      replayed: Type.Optional(
        Type.Boolean({ description: 'Some batches were replayed from an earlier request with the same key.' }),
      ),
      ignored: Type.Optional(Type.Array(Type.String(), { description: 'Read-only columns of a table.' })),
    },
    { description: 'Always the last line: without it the stream is incomplete.' },
  ),
})

export const BulkAnswerSchema = Type.Union([LineSchema, DoneSchema])

import type { BulkLine, Tracker, TrackerField, AnyValue as Value } from '@waypost/sdk/api'
import { type BulkOptions, type LineAnswer, writeMany } from '@waypost/sdk/bulk'
import { api } from '../api.ts'
import { toDraft } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { toValue } from '../field-types/values.ts'

/** The maximum of one request. */
export const MAX_BULK_ARTIFACTS = 10_000

export interface ChangedField {
  readonly field: TrackerField
  readonly before: Value | undefined
  readonly after: Value | undefined
}

/** The result of a dry run or a write. */
export interface BulkResult {
  readonly changed: readonly {
    readonly id: number
    readonly fields: readonly ChangedField[]
    readonly etag: string | undefined
  }[]
  readonly unchanged: number
  /** Grouped by reason, the most frequent first. */
  readonly refused: readonly { readonly message: string; readonly ids: readonly number[] }[]
  readonly mails: number
}

export function toBulkLines(ids: Iterable<number>, drafts: readonly ValueDraft[], comment: string): BulkLine[] {
  const values = [...drafts]
  const said = comment.trim() === '' ? {} : { comment: { body: comment, format: 'commonmark' } }
  return [...ids].map((id) => ({ op: 'update', id, values, ...said }))
}

/** Writes the lines, or runs them dry, and reports progress. */
export async function runLines(
  tracker: Tracker,
  lines: readonly BulkLine[],
  options: BulkOptions,
  onProgress: (done: number) => void,
): Promise<BulkResult> {
  const answers: LineAnswer[] = []
  for await (const answer of writeMany(api, tracker.id, lines, options)) {
    answers.push(answer)
    if (answers.length % 100 === 0) onProgress(answers.length)
  }
  return toBulkResult(tracker, answers)
}

export function toBulkResult({ fields }: Pick<Tracker, 'fields'>, answers: readonly LineAnswer[]): BulkResult {
  const done = answers.filter(({ error }) => !error)
  const changed = done.flatMap(({ id, unchanged, etag, dry_run }) => {
    if (id === null || unchanged) return []
    const mine = dry_run?.changes.filter(({ object }) => object === `artifacts/${id}`) ?? []
    const changes = mine.flatMap((change) => change.fields)
    return [{ id, etag, fields: changes.flatMap((change) => changedField(fields, change)) }]
  })
  const reasons = Map.groupBy(
    answers.filter(({ error }) => error),
    ({ error }) => error?.i18n_error_message ?? '',
  )
  const refused = [...reasons].map(([message, group]) => ({ message, ids: group.flatMap(({ id }) => id ?? []) }))
  return {
    changed,
    unchanged: done.length - changed.length,
    refused: refused.toSorted((one, other) => other.ids.length - one.ids.length),
    mails: done.reduce(
      (sum, { dry_run }) => sum + (dry_run?.notified.filter(({ channel }) => channel === 'mail').length ?? 0),
      0,
    ),
  }
}

type Change = NonNullable<LineAnswer['dry_run']>['changes'][number]['fields'][number]

function changedField(fields: readonly TrackerField[], { field_id, before, after }: Change): ChangedField[] {
  const field = fields.find((each) => each.field_id === field_id)
  return field ? [{ field, before: toValue(field, before), after: toValue(field, after) }] : []
}

/** The inverse of a write: restores the previous values, unless an artifact was changed since. */
export function undoLines(planned: BulkResult, written: BulkResult): BulkLine[] {
  const before = new Map(planned.changed.map(({ id, fields }) => [id, fields]))
  return written.changed.flatMap(({ id, etag }) => {
    const values = (before.get(id) ?? []).map((change) => toDraft(change.field, change.before))
    return values.length === 0
      ? []
      : [{ op: 'update' as const, id, values, ...(etag !== undefined && { if_match: etag }) }]
  })
}

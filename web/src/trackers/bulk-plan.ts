import type { BulkLine, Tracker, TrackerField, Value } from '@waypost/sdk/api'
import { type BulkOptions, type LineAnswer, writeMany } from '@waypost/sdk/bulk'
import { type Draft, draftOf } from '../artifacts/draft.ts'
import { api } from '../api.ts'

/** As many as one request may write. */
export const MOST_AT_ONCE = 10_000

export interface ChangedField {
  readonly field: TrackerField
  readonly before: Value | undefined
  readonly after: Value | undefined
}

/** What a dry run says would happen, or what has happened. */
export interface Outcome {
  readonly changed: readonly {
    readonly id: number
    readonly fields: readonly ChangedField[]
    readonly etag: string | undefined
  }[]
  readonly unchanged: number
  /** By the reason, the most frequent first. */
  readonly refused: readonly { readonly message: string; readonly ids: readonly number[] }[]
  readonly mails: number
}

export function linesOf(ids: Iterable<number>, drafts: readonly Draft[], comment: string): BulkLine[] {
  const values = [...drafts]
  const said = comment.trim() === '' ? {} : { comment: { body: comment, format: 'commonmark' } }
  return [...ids].map((id) => ({ op: 'update', id, values, ...said }))
}

/** Writes the lines, or tries them, and tells from time to time how far it is. */
export async function runLines(
  tracker: Tracker,
  lines: readonly BulkLine[],
  options: BulkOptions,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const answers: LineAnswer[] = []
  for await (const answer of writeMany(api, tracker.id, lines, options)) {
    answers.push(answer)
    if (answers.length % 100 === 0) onProgress(answers.length)
  }
  return outcomeOf(tracker, answers)
}

export function outcomeOf({ fields }: Pick<Tracker, 'fields'>, answers: readonly LineAnswer[]): Outcome {
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
  return field ? [{ field, before: valueOf(field, before), after: valueOf(field, after) }] : []
}

/** As an artifact shows it. */
function valueOf({ field_id, type, label }: TrackerField, given: unknown): Value | undefined {
  if (given === null || given === undefined) return undefined
  const members = typeof given === 'object' && !Array.isArray(given) ? given : { value: given }
  return { field_id, type, label, ...members }
}

/**
 * The way back: what each had before, for those that were written, as long as nobody has written them since.
 */
export function linesBack(planned: Outcome, written: Outcome): BulkLine[] {
  const before = new Map(planned.changed.map(({ id, fields }) => [id, fields]))
  return written.changed.flatMap(({ id, etag }) => {
    const values = (before.get(id) ?? []).map((change) => draftOf(change.field, change.before))
    return values.length === 0
      ? []
      : [{ op: 'update' as const, id, values, ...(etag !== undefined && { if_match: etag }) }]
  })
}

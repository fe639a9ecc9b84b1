import { createHash } from 'node:crypto'

/** What a write says, in a form that can be told from what is stored. */
export interface Content {
  readonly summary?: string | undefined
  readonly details?: string | undefined
  readonly points?: number | undefined
  readonly comment?: string | undefined
}

export function digestOf({ summary = '', details = '', points, comment = '' }: Content): string {
  return createHash('sha256')
    .update(JSON.stringify([summary, details, points ?? null, comment]))
    .digest('hex')
}

/** One digest for several, in whatever order they came. */
export function digestOfAll(digests: readonly string[]): string {
  const [only = '', ...others] = digests
  return others.length === 0 ? only : createHash('sha256').update(digests.toSorted().join()).digest('hex')
}

/** Where the artifacts of a run live. */
export const DEFINITION = {
  format: 'waypost-tracker/1',
  label: 'Crates',
  item_name: 'crate',
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('details', 'text'),
    field('points', 'int'),
    field('tags', 'tbl', { bind: { type: 'static', values: [{ label: 'dry' }] } }),
    field('attachment', 'file'),
  ],
  semantics: { title: 'summary' },
}

function field(name: string, type: string, more: object = {}): object {
  return { name, type, label: name, ...more }
}

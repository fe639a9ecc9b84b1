import { createHash } from 'node:crypto'

/** The content of a write, in a form that is comparable with the stored one. */
export interface WriteContent {
  readonly summary?: string | undefined
  readonly details?: string | undefined
  readonly points?: number | undefined
  readonly comment?: string | undefined
}

export function writeContentDigest({ summary = '', details = '', points, comment = '' }: WriteContent): string {
  return createHash('sha256')
    .update(JSON.stringify([summary, details, points ?? null, comment]))
    .digest('hex')
}

/** One order-independent digest of several. */
export function combineDigests(digests: readonly string[]): string {
  const [only = '', ...others] = digests
  return others.length === 0 ? only : createHash('sha256').update(digests.toSorted().join()).digest('hex')
}

/** The tracker with the artifacts of a run. */
export const FAULTS_TRACKER = {
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

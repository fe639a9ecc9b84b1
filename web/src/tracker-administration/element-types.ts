import { isText, text } from './words.ts'

interface ElementType {
  readonly type: string
  readonly kind: 'field' | 'container' | 'static'
  /** People give it a value: it can be submitted and updated. */
  readonly isWritable?: boolean
  readonly canBeRequired?: boolean
  /** A tracker has one at most. */
  readonly isSingle?: boolean
  readonly list?: 'one' | 'many' | 'open'
  /** What a new artifact begins with is written as one of these; lists choose among their values. */
  readonly initial?: 'line' | 'text' | 'number' | 'day'
}

const WRITTEN = { kind: 'field', isWritable: true, canBeRequired: true } as const
const SHOWN = { kind: 'field' } as const

/** What there is to put on a form. */
export const ELEMENT_TYPES: readonly ElementType[] = [
  { type: 'string', ...WRITTEN, initial: 'line' },
  { type: 'text', ...WRITTEN, initial: 'text' },
  { type: 'int', ...WRITTEN, initial: 'number' },
  { type: 'float', ...WRITTEN, initial: 'number' },
  { type: 'date', ...WRITTEN, initial: 'day' },
  { type: 'sb', ...WRITTEN, list: 'one' },
  { type: 'rb', ...WRITTEN, list: 'one' },
  { type: 'msb', ...WRITTEN, list: 'many' },
  { type: 'cb', ...WRITTEN, list: 'many' },
  { type: 'tbl', ...WRITTEN, list: 'open' },
  { type: 'file', ...WRITTEN },
  { type: 'art_link', ...WRITTEN, isSingle: true },
  { type: 'perm', ...WRITTEN, isSingle: true },
  { type: 'computed', kind: 'field', isWritable: true, initial: 'number' },
  { type: 'aid', ...SHOWN, isSingle: true },
  { type: 'atid', ...SHOWN, isSingle: true },
  { type: 'subby', ...SHOWN },
  { type: 'subon', ...SHOWN },
  { type: 'luby', ...SHOWN },
  { type: 'lud', ...SHOWN },
  { type: 'priority', ...SHOWN, isSingle: true },
  { type: 'cross', ...SHOWN },
  { type: 'burndown', ...SHOWN, isSingle: true },
  { type: 'burnup', ...SHOWN, isSingle: true },
  { type: 'fieldset', kind: 'container' },
  { type: 'column', kind: 'container' },
  { type: 'linebreak', kind: 'static' },
  { type: 'separator', kind: 'static' },
  { type: 'staticrichtext', kind: 'static' },
]

/** Of a type that came later than these pages, only that it is a field is known. */
export function typeOf({ type }: { readonly type: string }): ElementType {
  return ELEMENT_TYPES.find((each) => each.type === type) ?? { type, kind: 'field' }
}

export function typeLabel(type: string): string {
  const name = `administration.type.${type}`
  return isText(name) ? text(name) : type
}

/** Statics may have no words of their own. */
export function labelOf({ label, type }: { readonly label: string; readonly type: string }): string {
  return label.trim() === '' ? typeLabel(type) : label
}

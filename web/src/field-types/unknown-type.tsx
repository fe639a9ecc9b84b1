import type { AnyValue as Value } from '@waypost/sdk/api'
import type { FieldType } from './field-type.ts'
import { EQUALITY_FILTER } from './parts/filters.ts'
import { ShownNumber } from './parts/numbers.tsx'

type PlainValue = Value & { readonly value?: unknown }

/** A type of a newer server: texts and numbers are shown, others are empty, and nothing can be entered. */
export function unknownType(type: string): FieldType<PlainValue> {
  return {
    type,
    kind: 'field',
    isEmpty: ({ value }) => typeof value !== 'number' && (typeof value !== 'string' || value === ''),
    show({ value }) {
      if (typeof value === 'number') return <ShownNumber number={value} />
      return typeof value === 'string' ? value : null
    },
    source: ({ value }) => (typeof value === 'string' ? value : undefined),
    column: { width: 8.5 },
    filter: EQUALITY_FILTER,
  }
}

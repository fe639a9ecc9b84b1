import { RelativeTime } from '../../design/relative-time.tsx'
import type { FieldType } from '../field-type.ts'
import type { LineValue } from '../values.ts'

/** An instant that the server has set. */
export const SHOWN_INSTANT = {
  kind: 'field',
  isEmpty: ({ value }) => !value,
  show: ({ value }) => value && <RelativeTime at={value} />,
} as const satisfies Partial<FieldType<LineValue>>

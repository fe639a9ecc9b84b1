import type { FieldType } from '../field-type.ts'

/** Elements of a form without a value that a page shows. */
export const WITHOUT_VALUE = { isEmpty: () => true, show: () => null } as const satisfies Partial<FieldType>

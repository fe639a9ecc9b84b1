import type { FieldType } from './field-type.ts'
import { References } from './parts/references.tsx'
import styles from './parts/values.module.css'
import type { ReferenceValue } from './values.ts'

export const crossReferences: FieldType<ReferenceValue> = {
  type: 'cross',
  kind: 'field',
  isWide: true,
  isFolded: true,
  isEmpty: ({ value = [] }) => value.length === 0,
  show: ({ value = [] }) => (
    <ul className={styles['list']}>
      {value.map(({ ref, url }) => (
        <li key={`${ref} ${url}`}>
          <a href={url}>{ref}</a>
        </li>
      ))}
    </ul>
  ),
  showShort: (value) => names(value).join(', '),
  PageView: References,
  entries: names,
  isCollection: true,
  column: { width: 8.5 },
}

function names({ value = [] }: ReferenceValue): readonly string[] {
  return value.map(({ ref }) => ref)
}

import type { FieldType } from './field-type.ts'
import styles from './parts/values.module.css'
import { WITHOUT_VALUE } from './parts/without-value.ts'

export const separator: FieldType = {
  type: 'separator',
  kind: 'static',
  ...WITHOUT_VALUE,
  showStatic: () => <hr className={styles['separator']} />,
}

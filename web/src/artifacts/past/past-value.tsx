import type { AnyValue, TrackerField } from '@waypost/sdk/api'
import { Hidden } from '../../design/page.tsx'
import { isEmptyValue } from '../../field-types/field-types.ts'
import { ShowValue } from '../../field-types/field-views.tsx'
import { sourceOf, TextDiff } from '../timeline/show-change.tsx'
import { text } from './messages.ts'
import styles from './past-value.module.css'

interface Props {
  readonly field: TrackerField
  readonly past: AnyValue | undefined
  readonly now: AnyValue | undefined
  readonly isDifferent: boolean
}

/** A property of past, and beside it the one of now where they differ. */
export function PastProperty({ field, past, now, isDifferent }: Props) {
  return (
    <div className={styles['property']} data-field={field.field_id}>
      <span className={styles['label']}>{field.label}</span>
      <div className={styles['value']} data-different={isDifferent}>
        <ShowValue value={past} field={field} />
        {isDifferent && (
          <span className={styles['now']}>
            {text('past.now')} {isEmptyValue(now) ? '–' : <ShowValue value={now} field={field} isShort />}
          </span>
        )}
      </div>
    </div>
  )
}

/** A text, links or files of the past; a text can be compared with the one of now, word by word. */
export function PastSection({ field, past, now, isDifferent, isUntitled }: Props & { readonly isUntitled?: boolean }) {
  const [before, after] = [sourceOf(past), sourceOf(now)]
  return (
    <section className={styles['section']} data-field={field.field_id} aria-label={field.label}>
      <h2 className={styles['heading']}>{isUntitled ? <Hidden>{field.label}</Hidden> : field.label}</h2>
      {isDifferent && <p className={styles['differs']}>{text('past.differs')}</p>}
      <ShowValue value={past} field={field} />
      {isDifferent && before !== undefined && after !== undefined && (
        <details className={styles['compare']}>
          <summary>{text('past.compare')}</summary>
          <TextDiff before={before} after={after} />
        </details>
      )}
    </section>
  )
}

import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { ShowValue } from '../artifacts/show-value.tsx'
import { counted, text } from './words.ts'
import styles from './bulk-outcome.module.css'
import type { Outcome } from './bulk-plan.ts'

const SHOWN = 12
const NAMED = 8

/** What would happen, or has: how many change, how, and why others do not. */
export function BulkOutcome({ outcome, isPlan = false }: { outcome: Outcome; isPlan?: boolean }) {
  const { changed, unchanged, refused, mails } = outcome
  return (
    <div className={styles['outcome']}>
      <ul className={styles['counts']}>
        <li>
          {isPlan
            ? counted('bulk.will_change_one', 'bulk.will_change', changed.length)
            : counted('bulk.done_one', 'bulk.done', changed.length)}
        </li>
        {unchanged > 0 && <li>{counted('bulk.unchanged_one', 'bulk.unchanged', unchanged)}</li>}
        {isPlan && mails > 0 && <li>{counted('bulk.mails_one', 'bulk.mails', mails)}</li>}
      </ul>
      {refused.map(({ message, ids }) => (
        <div key={message} className={styles['refused']}>
          <strong>{counted('bulk.refused_one', 'bulk.refused', ids.length)}</strong>
          <p>{message}</p>
          <p className={styles['names']}>
            {ids.slice(0, NAMED).map((id) => (
              <ArtifactLink key={id} id={id} target="_blank">
                #{id}
              </ArtifactLink>
            ))}
            {ids.length > NAMED && <span>{text('bulk.more', { count: ids.length - NAMED })}</span>}
          </p>
        </div>
      ))}
      {isPlan && changed.length > 0 && (
        <table className={styles['changes']}>
          <thead>
            <tr>
              <th scope="col">{text('table.id')}</th>
              <th scope="col">{text('filter.field')}</th>
              <th scope="col">{text('bulk.before')}</th>
              <th scope="col">{text('bulk.after')}</th>
            </tr>
          </thead>
          <tbody>
            {changed.slice(0, SHOWN).flatMap(({ id, fields }) =>
              fields.map(({ field, before, after }) => (
                <tr key={`${id} ${field.field_id}`}>
                  <td>#{id}</td>
                  <td>{field.label}</td>
                  <td>
                    <ShowValue value={before} field={field} isShort={before !== undefined} />
                  </td>
                  <td>
                    <ShowValue value={after} field={field} isShort={after !== undefined} />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      )}
      {isPlan && changed.length > SHOWN && <p>{text('bulk.more', { count: changed.length - SHOWN })}</p>}
    </div>
  )
}

import { ArtifactLink } from '../artifacts/artifact-link.tsx'
import { ShowValue } from '../field-types/field-views.tsx'
import { text } from './messages.ts'
import styles from './bulk-outcome.module.css'
import type { BulkResult } from './bulk-plan.ts'

const MAX_SHOWN_ARTIFACTS = 12
const MAX_NAMED_ARTIFACTS = 8

/** The result of a preview or of a write: changes, and refusals with their reasons. */
export function BulkOutcome({ outcome, isPlan = false }: { outcome: BulkResult; isPlan?: boolean }) {
  const { changed, unchanged, refused, mails } = outcome
  return (
    <div className={styles['outcome']}>
      <ul className={styles['counts']}>
        <li>
          {isPlan ? text('bulk.will_change', { count: changed.length }) : text('bulk.done', { count: changed.length })}
        </li>
        {unchanged > 0 && <li>{text('bulk.unchanged', { count: unchanged })}</li>}
        {isPlan && mails > 0 && <li>{text('bulk.mails', { count: mails })}</li>}
      </ul>
      {refused.map(({ message, ids }) => (
        <div key={message} className={styles['refused']}>
          <strong>{text('bulk.refused', { count: ids.length })}</strong>
          <p>{message}</p>
          <p className={styles['names']}>
            {ids.slice(0, MAX_NAMED_ARTIFACTS).map((id) => (
              <ArtifactLink key={id} id={id} target="_blank">
                #{id}
              </ArtifactLink>
            ))}
            {ids.length > MAX_NAMED_ARTIFACTS && (
              <span>{text('bulk.more', { count: ids.length - MAX_NAMED_ARTIFACTS })}</span>
            )}
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
            {changed.slice(0, MAX_SHOWN_ARTIFACTS).flatMap(({ id, fields }) =>
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
      {isPlan && changed.length > MAX_SHOWN_ARTIFACTS && (
        <p>{text('bulk.more', { count: changed.length - MAX_SHOWN_ARTIFACTS })}</p>
      )}
    </div>
  )
}

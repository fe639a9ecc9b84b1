import type { AuditEntry, ProjectAuditEntry } from '@waypost/sdk/api'
import { Hidden } from '../design/page.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import rows from '../design/rows.module.css'
import styles from './administration.module.css'
import { text } from './messages.ts'

const ABSENT = { credential: null, address: null, project: null }

/** An entry of the log of the site, or of a project. */
export function AuditEntryRow({ entry }: { readonly entry: AuditEntry | ProjectAuditEntry }) {
  const { on, actor, action, object, outcome, before, after, reason, request_id } = entry
  // The log of a project has neither, and its project is known.
  const { credential, address, project } = 'credential' in entry ? entry : ABSENT
  const changed = [
    { name: text('audit.before'), value: before },
    { name: text('audit.after'), value: after },
  ].filter(({ value }) => value !== null && value !== undefined)
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <code>{action}</code>
          {object !== null && <code className={rows['tag']}>{object}</code>}
          {outcome === 'refused' && (
            <span
              className={`${rows['tag']} ${rows['late']}`}
            >{`${text('audit.refused')}${reason === null ? '' : `: ${reason}`}`}</span>
          )}
        </p>
        <p className={rows['facts']}>
          <span>{actor?.username ?? text('audit.anonymous')}</span>
          {credential !== null && <span>{credential.kind}</span>}
          {address !== null && <span>{address}</span>}
          {project !== null && <span>{project.label}</span>}
          <RelativeTime at={on} />
        </p>
        {changed.length > 0 && (
          <details className={styles['more']}>
            <summary>
              {text('audit.changes')}
              <Hidden>{`${action} ${object ?? ''}`}</Hidden>
            </summary>
            {changed.map(({ name, value }) => (
              <div key={name}>
                {name}
                <pre>{JSON.stringify(value, null, 2)}</pre>
              </div>
            ))}
            {request_id !== null && <p>{text('request', { id: request_id })}</p>}
          </details>
        )}
      </div>
    </li>
  )
}

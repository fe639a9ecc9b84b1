import type { Artifact, Tracker } from '@waypost/sdk/api'
import { fieldValue } from '../artifacts/artifact-queries.ts'
import rows from '../artifacts/field-row.module.css'
import { Loading } from '../design/page.tsx'
import { OpenProvider } from '../field-types/due.tsx'
import { ShowValue } from '../field-types/field-views.tsx'
import { StatusProvider } from '../field-types/status.tsx'
import { layOutPeek } from './key-facts.ts'
import styles from './peek-panel.module.css'

/** An artifact as its row in a list has it. */
export interface PeekedRow {
  readonly artifact: Artifact
  readonly tracker: Tracker
}

/** The values of the row, in the places where the artifact will show them. */
export function ListedArtifact({ row }: { readonly row: PeekedRow | undefined }) {
  if (!row)
    return (
      <div className={styles['body']}>
        <Loading />
      </div>
    )
  const { artifact, tracker } = row
  const { facts } = layOutPeek(row, () => false)
  return (
    <StatusProvider tracker={tracker}>
      <div className={styles['body']} aria-busy>
        <h2 className={styles['title']} dir="auto">
          {artifact.title || artifact.xref}
        </h2>
        <OpenProvider isOpen={artifact.is_open}>
          <div className={styles['facts']}>
            {facts.map((field) => (
              <div key={field.field_id} className={`${rows['row']} ${rows['property']}`}>
                <span className={rows['label']}>{field.label}</span>
                <div className={rows['value']}>
                  <ShowValue value={fieldValue(artifact, field.field_id)} field={field} isShort />
                </div>
              </div>
            ))}
          </div>
        </OpenProvider>
      </div>
    </StatusProvider>
  )
}

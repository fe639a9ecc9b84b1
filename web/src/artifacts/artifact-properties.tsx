import type { TrackerField, UserMinimal } from '@waypost/sdk/api'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useSession } from '../accounts/session.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { OpenProvider } from '../field-types/due.tsx'
import { ShowValue } from '../field-types/field-views.tsx'
import { AddField } from './add-field.tsx'
import type { PropertyGroup } from './artifact-layout.ts'
import { type OpenArtifact, fieldValue } from './artifact-queries.ts'
import { findKeyField, PICKER_KEYS } from './key-fields.ts'
import { text } from './messages.ts'
import styles from './artifact-properties.module.css'
import { WatchControl } from './watch.tsx'

interface Props {
  readonly open: OpenArtifact
  readonly groups: readonly PropertyGroup[]
  /** Empty fields that the viewer may fill in. */
  readonly unset: readonly TrackerField[]
  readonly onAdd: (field: TrackerField) => void
  /** On narrow screens; wide ones always show them. */
  readonly isExpanded: boolean
  readonly onExpand: (isExpanded: boolean) => void
  readonly children: (field: TrackerField) => ReactNode
}

/** Everything about the artifact that is not text: its values, its notifications, its first and its last version. */
export function ArtifactProperties({ open, groups, unset, onAdd, isExpanded, onExpand, children }: Props) {
  const { artifact } = open
  const { data: session } = useSession()
  const id = useId()
  const keyFields = PICKER_KEYS.map((key) => findKeyField(open.tracker, key))
  return (
    <aside aria-label={text('artifact.properties')}>
      <div className={styles['toggle']}>
        <Button kind="quiet" aria-expanded={isExpanded} aria-controls={id} onPress={() => onExpand(!isExpanded)}>
          <Icon of={ChevronRight} size={14} />
          {text('artifact.properties')}
        </Button>
        {!isExpanded && <InShort open={open} />}
      </div>
      <div id={id} className={styles['properties']} data-expanded={isExpanded}>
        {groups.map(({ heading, fields }) => (
          <section key={fields[0]?.field_id} className={styles['group']} aria-label={heading}>
            {heading !== undefined && <h2 className={styles['heading']}>{heading}</h2>}
            {fields.map((field) => (
              <div key={field.field_id} data-key={keyFields.includes(field) || undefined}>
                {children(field)}
              </div>
            ))}
          </section>
        ))}
        {unset.length > 0 && <AddField fields={unset} onAdd={onAdd} />}
        {session && <WatchControl id={artifact.id} />}
        <p className={styles['versions']}>
          {text('facts.submitted', { who: nameOf(artifact.submitted_by_user) })}{' '}
          <RelativeTime at={artifact.submitted_on} />
          <br />
          {text('facts.updated', { who: nameOf(artifact.last_update_by_user) })}{' '}
          <RelativeTime at={artifact.last_modified_date} />
        </p>
      </div>
    </aside>
  )
}

/** Status and assignee beside the closed part. */
function InShort({ open: { tracker, artifact } }: { readonly open: OpenArtifact }) {
  const fields = (['s', 'a'] as const).flatMap((key) => findKeyField(tracker, key) ?? [])
  return (
    <span className={styles['short']}>
      {fields.map((field) => (
        <OpenProvider key={field.field_id} isOpen={artifact.is_open}>
          <ShowValue value={fieldValue(artifact, field.field_id)} field={field} isShort />
        </OpenProvider>
      ))}
    </span>
  )
}

function nameOf({ real_name, display_name }: UserMinimal): string {
  return real_name ?? display_name
}

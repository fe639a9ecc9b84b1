import type { UserMinimal } from '@waypost/sdk/api'
import type { ReactNode } from 'react'
import { useSession } from '../accounts/session.ts'
import { toHue } from '../design/hue.ts'
import { Avatar, NoAvatar } from '../design/marks.tsx'
import { StatusPill } from '../design/pill.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import { Panel } from '../design/page.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { isFamilyLink, LinkedArtifacts } from '../field-types/parts/linked-artifacts.tsx'
import { storedKeys } from '../field-types/parts/list-keys.ts'
import { useStatusProgress } from '../field-types/status.tsx'
import { text } from './messages.ts'
import { type OpenArtifact, fieldValue } from './artifact-queries.ts'
import styles from './facts.module.css'
import { WatchControl } from './watch.tsx'

/** The key facts of the artifact, and the notification level of the viewer. */
export function Facts({ open: { artifact, tracker } }: { open: OpenArtifact }) {
  const { data: session } = useSession()
  const linkField = tracker.fields.find((field) => fieldType(field).links !== undefined)
  const linked = linkField && fieldValue(artifact, linkField.field_id)
  const family = (linked && fieldType(linked).links?.(linked).filter(isFamilyLink)) ?? []
  const { full_status: status, assignees } = artifact
  const statusId = tracker.semantics.status?.field_id
  const progressOf = useStatusProgress(statusId)
  const [stored] = storedKeys(statusId === undefined ? undefined : fieldValue(artifact, statusId))
  const progress = stored === undefined ? 0 : (progressOf?.(stored) ?? 0)
  return (
    <>
      <Panel title={text('facts.title')}>
        <dl className={styles['facts']}>
          {tracker.semantics.status && (
            <Fact name={text('facts.status')}>
              {status ? (
                <StatusPill hue={toHue(status.color)} progress={progress}>
                  {status.value}
                </StatusPill>
              ) : (
                text('edit.nothing')
              )}{' '}
              <small>{text(artifact.is_open ? 'facts.open' : 'facts.closed')}</small>
            </Fact>
          )}
          {tracker.semantics.contributor && (
            <Fact name={text('facts.assigned')}>
              {assignees.length === 0 ? (
                <span className={styles['person']}>
                  <NoAvatar size={20} />
                  {text('facts.unassigned')}
                </span>
              ) : (
                assignees.map((person) => <Person key={person.id} person={person} />)
              )}
            </Fact>
          )}
          <Fact name={text('facts.submitted')}>
            {nameOf(artifact.submitted_by_user)}, <RelativeTime at={artifact.submitted_on} />
          </Fact>
          <Fact name={text('facts.updated')}>
            {nameOf(artifact.last_update_by_user)}, <RelativeTime at={artifact.last_modified_date} />
          </Fact>
          <Fact name={text('facts.reference')}>
            <code>{artifact.xref}</code>
          </Fact>
        </dl>
      </Panel>
      {session && <WatchControl id={artifact.id} />}
      {linkField && family.length > 0 && (
        <Panel title={text('facts.hierarchy')}>
          <div>
            <LinkedArtifacts links={family} field={linkField} />
          </div>
        </Panel>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Person({ person }: { person: UserMinimal }) {
  const name = nameOf(person)
  return (
    <span className={styles['person']}>
      <Avatar person={{ id: person.id, name }} size={20} />
      {name}
    </span>
  )
}

function nameOf({ real_name, display_name }: UserMinimal): string {
  return real_name ?? display_name
}

import type { UserMinimal, Value } from '@waypost/sdk/api'
import type { ReactNode } from 'react'
import { useSession } from '../accounts/session.ts'
import { Moment } from '../design/moment.tsx'
import { Panel } from '../design/page.tsx'
import { Swatch } from '../design/swatch.tsx'
import { text } from './words.ts'
import { type OpenArtifact, valueOf } from './artifact-queries.ts'
import styles from './facts.module.css'
import { LinkedArtifacts } from './linked-artifacts.tsx'
import { recordsIn } from './loose.ts'
import { Watch } from './watch.tsx'

/** What one wants to know at a glance, and whether one wants to be told. */
export function Facts({ open: { artifact, tracker } }: { open: OpenArtifact }) {
  const { data: session } = useSession()
  const links = tracker.fields.find(({ type }) => type === 'art_link')
  const linked = links && valueOf(artifact, links.field_id)
  const { full_status: status, assignees } = artifact
  return (
    <>
      <Panel title={text('facts.title')}>
        <dl className={styles['facts']}>
          {tracker.semantics.status && (
            <Fact name={text('facts.status')}>
              <Swatch color={status?.color} /> {status?.value ?? text('edit.nothing')}{' '}
              <small>{text(artifact.is_open ? 'facts.open' : 'facts.closed')}</small>
            </Fact>
          )}
          {tracker.semantics.contributor && (
            <Fact name={text('facts.assigned')}>
              {assignees.length === 0 ? text('facts.nobody') : assignees.map(nameOf).join(', ')}
            </Fact>
          )}
          <Fact name={text('facts.submitted')}>
            {nameOf(artifact.submitted_by_user)}, <Moment at={artifact.submitted_on} />
          </Fact>
          <Fact name={text('facts.updated')}>
            {nameOf(artifact.last_update_by_user)}, <Moment at={artifact.last_modified_date} />
          </Fact>
          <Fact name={text('facts.reference')}>
            <code>{artifact.xref}</code>
          </Fact>
        </dl>
      </Panel>
      {session && <Watch id={artifact.id} />}
      {links && hasFamily(linked) && (
        <Panel title={text('facts.hierarchy')}>
          <div>
            <LinkedArtifacts value={linked} field={links} isHierarchy />
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

function nameOf({ real_name, display_name }: UserMinimal): string {
  return real_name ?? display_name
}

function hasFamily(value: Value | undefined): boolean {
  return ['links', 'reverse_links'].some((links) => recordsIn(value?.[links]).some(({ type }) => type === '_is_child'))
}

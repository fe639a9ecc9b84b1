import type { Artifact } from '@waypost/sdk/api'
import { ArtifactLink } from '../../artifacts/artifact-link.tsx'
import { toHue } from '../../design/hue.ts'
import { Avatar } from '../../design/marks.tsx'
import { Hidden } from '../../design/page.tsx'
import { StatusPill } from '../../design/pill.tsx'
import styles from './artifact-row.module.css'

interface Props {
  readonly id: number
  /** Shown until the artifact is known, and if the viewer may not see it. */
  readonly name: string
  readonly artifact: Artifact | undefined
}

/** Open artifacts of other trackers are somewhere between begin and end. */
const PROGRESS_WHILE_OPEN = 0.5

/** Another artifact in one line: its id, title, status and people. */
export function ArtifactRow({ id, name, artifact }: Props) {
  if (!artifact)
    return (
      <li className={styles['row']}>
        <ArtifactLink id={id}>{name}</ArtifactLink>
      </li>
    )
  const { title, xref, is_open: isOpen, full_status: status, assignees } = artifact
  return (
    <li className={styles['row']}>
      <span className={styles['id']}>{xref}</span>
      <ArtifactLink id={id} className={isOpen ? styles['title'] : `${styles['title']} ${styles['closed']}`} dir="auto">
        {title ?? xref}
      </ArtifactLink>
      {status && (
        <StatusPill hue={toHue(status.color)} progress={isOpen ? PROGRESS_WHILE_OPEN : 'done'}>
          {status.value}
        </StatusPill>
      )}
      {assignees.map(({ id: person, real_name, display_name, avatar_url }) => (
        <span key={person} title={real_name ?? display_name}>
          <Avatar person={{ id: person, name: real_name ?? display_name, avatar_url }} size={20} />
          <Hidden>{real_name ?? display_name}</Hidden>
        </span>
      ))}
    </li>
  )
}

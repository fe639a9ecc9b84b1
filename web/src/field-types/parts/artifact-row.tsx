import type { Artifact } from '@waypost/sdk/api'
import { ArtifactLink } from '../../artifacts/artifact-link.tsx'
import { Avatar, TrackerMark } from '../../design/marks.tsx'
import { Hidden } from '../../design/page.tsx'
import { StatusElsewhere } from '../status-elsewhere.tsx'
import styles from './artifact-row.module.css'

interface Props {
  readonly id: number
  /** Shown until the artifact is known, and if the viewer may not see it. */
  readonly name: string
  readonly artifact: Artifact | undefined
  /** The title is on its way: the row has its final height, and its link keeps its place. */
  readonly isLoading?: boolean
}

/** Another artifact in one line: its id, title, status and people. */
export function ArtifactRow({ id, name, artifact, isLoading = false }: Props) {
  if (!artifact)
    return (
      <li className={styles['row']}>
        {isLoading && <i className={styles['mark']} aria-hidden />}
        <ArtifactLink id={id} {...(isLoading && { className: styles['id'] })}>
          {name}
        </ArtifactLink>
        {isLoading && <i className={styles['bone']} aria-hidden />}
      </li>
    )
  const { title, xref, tracker, is_open: isOpen, full_status: status, assignees } = artifact
  return (
    <li className={styles['row']}>
      <TrackerMark label={tracker.label} color={tracker.color_name} />
      <span className={styles['id']}>{xref}</span>
      <ArtifactLink id={id} className={isOpen ? styles['title'] : `${styles['title']} ${styles['closed']}`} dir="auto">
        {title ?? xref}
      </ArtifactLink>
      {status && <StatusElsewhere tracker={tracker.id} status={status} isOpen={isOpen} />}
      {assignees.map(({ id: person, real_name, display_name, avatar_url }) => (
        <span key={person} title={real_name ?? display_name}>
          <Avatar person={{ id: person, name: real_name ?? display_name, avatar_url }} size={20} />
          <Hidden>{real_name ?? display_name}</Hidden>
        </span>
      ))}
    </li>
  )
}

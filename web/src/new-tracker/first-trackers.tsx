import { Link } from '@tanstack/react-router'
import { buttonClass } from '../design/button.tsx'
import type { ProjectPlace } from './create-trackers.ts'
import { Gallery } from './gallery.tsx'
import styles from './new-tracker-page.module.css'
import { text } from './messages.ts'

/** The gallery in a project without trackers. */
export function FirstTrackers({ project }: { readonly project: ProjectPlace }) {
  return (
    <div className={styles['first']}>
      <p>{text('new_tracker.empty.offer')}</p>
      <Gallery project={project}>
        <Link
          to="/projects/$shortname/trackers/new"
          params={{ shortname: project.shortname }}
          search={{ from: 'copy' }}
          className={buttonClass('quiet')}
        >
          {text('new_tracker.other_ways')}
        </Link>
      </Gallery>
    </div>
  )
}

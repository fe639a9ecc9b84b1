import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { ListedObject } from '@waypost/sdk/api'
import { useId } from 'react'
import { text } from '../messages/text.ts'
import { ListedMark } from '../personal-lists/listed-mark.tsx'
import { favouritesQuery, recentlySeenQuery } from '../personal-lists/personal-lists.ts'
import { PageLink } from './page-link.tsx'
import styles from './sidebar.module.css'

const MAX_RECENT = 5

/** The favourites of the viewer. */
export function FavouriteLinks() {
  const { data = [] } = useQuery(favouritesQuery)
  return <ListSection title={text('nav.favourites')} objects={data} />
}

/** The artifacts that the viewer has opened last. Projects and trackers are in the tree above. */
export function RecentLinks() {
  const { data: recent = [] } = useQuery(recentlySeenQuery)
  const { data: favourites = [] } = useQuery(favouritesQuery)
  const starred = new Set(favourites.map(({ uri }) => uri))
  const shown = recent.filter(({ kind, uri }) => kind === 'artifact' && !starred.has(uri)).slice(0, MAX_RECENT)
  return (
    <div className={styles['recent']}>
      <ListSection title={text('nav.recent')} objects={shown} />
    </div>
  )
}

function ListSection({ title, objects }: { readonly title: string; readonly objects: readonly ListedObject[] }) {
  const { pathname } = useLocation()
  const id = useId()
  if (objects.length === 0) return null
  return (
    <div className={styles['section']}>
      <p id={id} className={styles['head']}>
        {title}
      </p>
      <ul className={styles['list']} aria-labelledby={id}>
        {objects.map((object) => {
          // The tree lights projects and trackers.
          const isHere = object.kind === 'artifact' && object.html_url === pathname
          return (
            <li key={object.uri}>
              <PageLink
                href={object.html_url}
                className={styles['item']}
                data-current={isHere}
                aria-current={isHere ? 'page' : undefined}
                title={object.xref === null ? object.label : `${object.xref} ${object.label}`}
              >
                <ListedMark object={object} />
                <span className={styles['clipped']}>{object.label}</span>
              </PageLink>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

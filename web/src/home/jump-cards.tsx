import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { Icon } from '../design/icon.tsx'
import { relativeText } from '../design/relative-time.tsx'
import { text } from '../messages/text.ts'
import { ListedMark } from '../personal-lists/listed-mark.tsx'
import { chooseCards, favouritesQuery, type HomeCard, recentlySeenQuery } from '../personal-lists/personal-lists.ts'
import { PageLink } from '../shell/page-link.tsx'
import styles from './jump-cards.module.css'

/** The objects that the viewer has seen last, and favourites; empty while there are none. */
export function JumpCards() {
  const { data: favourites } = useQuery(favouritesQuery)
  const { data: recent } = useQuery(recentlySeenQuery)
  if (!favourites || !recent) return null
  const cards = chooseCards(favourites, recent)
  if (cards.length === 0) return null
  return (
    <ul className={styles['cards']} aria-label={text('home.jump')}>
      {cards.map((card) => (
        <li key={card.object.uri}>
          <JumpCard {...card} />
        </li>
      ))}
    </ul>
  )
}

function JumpCard({ object, isFavourite }: HomeCard) {
  const { html_url: url, label, xref, project, kind } = object
  const where = xref ?? (kind === 'project' ? text('home.project') : project.label)
  const why = isFavourite
    ? text('home.favourite')
    : text('home.viewed', { when: relativeText(new Date(object.on), new Date()) })
  return (
    <PageLink href={url} className={styles['card']} title={label}>
      <ListedMark object={object} />
      <span className={styles['lines']}>
        <span className={styles['label']}>{label}</span>
        <span className={styles['why']}>{`${where} · ${why}`}</span>
      </span>
      {isFavourite && (
        <span className={styles['star']}>
          <Icon of={Star} />
        </span>
      )}
    </PageLink>
  )
}

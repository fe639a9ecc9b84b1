import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '../api.ts'
import { Avatar } from '../design/marks.tsx'
import { text } from './messages.ts'
import styles from './watchers.module.css'

const MAX_SHOWN_WATCHERS = 8

export const watchersQuery = (id: number) =>
  queryOptions({
    queryKey: ['artifacts', id, 'watchers'],
    staleTime: 60_000,
    queryFn: () => read(api.call('GET /artifacts/{id}/watchers', { path: { id } })),
  })

/** The watchers of this artifact that the viewer may see; nothing if there are none. */
export function Watchers({ id }: { readonly id: number }) {
  const { data: people = [] } = useQuery(watchersQuery(id))
  if (people.length === 0) return null
  const rest = people.length - MAX_SHOWN_WATCHERS
  return (
    <div className={styles['watchers']}>
      <span>{text('watch.watchers')}</span>
      <ul>
        {people.slice(0, MAX_SHOWN_WATCHERS).map(({ id: person, real_name, display_name, avatar_url }) => {
          const name = real_name ?? display_name
          return (
            <li key={person} title={name}>
              <Avatar person={{ id: person, name, avatar_url }} size={20} />
              <span className={styles['name']}>{name}</span>
            </li>
          )
        })}
        {rest > 0 && <li>{text('watch.more', { count: rest })}</li>}
      </ul>
    </div>
  )
}

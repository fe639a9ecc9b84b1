import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { User } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import { formValue } from '../accounts/auth-layout.tsx'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { ApiCall } from '../design/api-snippets.tsx'
import { Empty, Loading, PageLayout, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { text } from './messages.ts'
import styles from './administration.module.css'
import { NewUser } from './new-user.tsx'
import { SearchWords } from './search-words.tsx'

const MAX_FOUND_USERS = 50
const MIN_SEARCH_LENGTH = 3

/** Matches a part of the name; suspended and pending accounts match only by their full login or address. */
const usersQuery = (words: string) => ({
  queryKey: ['administration', 'users', words],
  enabled: words !== '',
  queryFn: async () => {
    const ask = (query: string) => read(api.call('GET /users', { query: { query, limit: MAX_FOUND_USERS } }))
    const found = await Promise.all([
      ask(JSON.stringify({ username: words })),
      ...(words.includes('@') ? [ask(JSON.stringify({ email: words }))] : []),
      ...(words.length >= MIN_SEARCH_LENGTH && !words.startsWith('{') ? [ask(words)] : []),
    ])
    return [...new Map(found.flat().map((user) => [user.id, user])).values()]
  },
})

export function UsersPage() {
  const { q = '' } = useSearch({ from: '/shell/own/administration/users' })
  const navigate = useNavigate()
  const [isNew, setNew] = useState(false)
  const { data: users, error, refetch } = useQuery(usersQuery(q))
  const add = (
    <Button kind="primary" onPress={() => setNew(true)}>
      {text('users.new')}
    </Button>
  )
  return (
    <PageLayout title={text('users.title')} lead={text('users.lead')} actions={add}>
      <form
        className={styles['filter']}
        role="search"
        aria-label={text('search')}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          const words = formValue(new FormData(event.currentTarget), 'q').trim()
          void navigate({ to: '/administration/users', search: words === '' ? {} : { q: words } })
        }}
      >
        <SearchWords label={text('users.search')} hint={text('users.search.hint')} words={q} />
        <Button type="submit">{text('search')}</Button>
      </form>
      {error && !users && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {q !== '' && !error && (
        <Panel title={text('users.found')} count={users?.length} isList>
          {!users && <Loading />}
          {users?.length === 0 && <Empty>{text('users.none')}</Empty>}
          <ul className={rows['rows']}>
            {users?.map((user) => (
              <UserRow key={user.id} user={user} />
            ))}
          </ul>
        </Panel>
      )}
      <ApiCall path={`/users?query=${encodeURIComponent(q)}`} />
      {isNew && <NewUser onClose={() => setNew(false)} />}
    </PageLayout>
  )
}

function UserRow({ user: { id, real_name, username, email, status, is_site_admin } }: { user: User }) {
  return (
    <li>
      <div>
        <p className={rows['title']}>
          <Link to="/administration/users/$id" params={{ id: String(id) }}>
            {real_name}
          </Link>
          {is_site_admin === true && <span className={`${rows['tag']} ${rows['here']}`}>{text('users.admin')}</span>}
          {status !== undefined && status !== null && status !== 'A' && (
            <span className={`${rows['tag']} ${rows['late']}`}>{text(`status.${status}`)}</span>
          )}
        </p>
        <p className={rows['facts']}>
          <span>{username}</span>
          {email !== null && email !== undefined && <span>{email}</span>}
        </p>
      </div>
    </li>
  )
}

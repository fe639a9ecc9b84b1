import type { User } from '@waypost/sdk/api'
import type { ReactNode } from 'react'
import { useSession } from '../accounts/session.ts'
import { Avatar } from '../design/marks.tsx'
import rows from '../design/rows.module.css'
import { text } from '../projects/messages.ts'
import { personName } from './people-queries.ts'
import styles from './people.module.css'

interface Props {
  readonly user: User
  /** Stands in a column of its own, beside one for the e-mail address. */
  readonly role?: ReactNode
  /** The buttons at the end of the row. */
  readonly children: ReactNode
}

/** A person of a group, with name, login and role. */
export function PersonRow({ user, role, children }: Props) {
  const { data: session } = useSession()
  const name = personName(user)
  return (
    <li className={role === undefined ? undefined : styles['member']}>
      <div className={styles['person']}>
        <Avatar person={{ ...user, name }} size={32} />
        <div>
          <p className={rows['title']}>{name}</p>
          <p className={rows['facts']}>
            <span>@{user.username}</span>
            {session?.user.id === user.id && <span>{text('people.you')}</span>}
          </p>
        </div>
      </div>
      {role !== undefined && (
        <>
          <span className={styles['email']}>{user.email}</span>
          <div className={styles['role']}>{role}</div>
        </>
      )}
      <div className={styles['buttons']}>{children}</div>
    </li>
  )
}

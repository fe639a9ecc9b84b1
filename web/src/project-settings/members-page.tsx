import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { User } from '@waypost/sdk/api'
import { useState } from 'react'
import { api } from '../api.ts'
import { useSession } from '../accounts/session.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { PagedPanel } from '../design/paged-panel.tsx'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { RowMenu } from '../design/row-menu.tsx'
import { PageLayout } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { Invitations } from '../projects/invitations.tsx'
import { text } from '../projects/messages.ts'
import { AddPeople } from './add-people.tsx'
import {
  adminsGroup,
  changePeople,
  groupPeopleKey,
  groupPeopleQuery,
  membersGroup,
  personName,
} from './people-queries.ts'
import { PersonRow } from './person-row.tsx'
import styles from './people.module.css'
import { useSettingsProject } from './use-settings-project.ts'

/** The members of a project and their roles, and invitations. */
export function MembersPage() {
  const { id } = useSettingsProject()
  const group = membersGroup(id)
  const { data: admins, error, refetch } = useQuery(groupPeopleQuery(id, adminsGroup(id)))
  const [isAdding, setAdding] = useState(false)
  const adminIds = admins && new Set(admins.map((admin) => admin.id))
  return (
    <PageLayout title={text('members.title')} lead={text('people.lead')}>
      {error && !admins && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      <PagedPanel
        title={text('members.title')}
        none={text('people.none')}
        actions={
          <Button kind="primary" onPress={() => setAdding(true)}>
            {text('people.add')}
          </Button>
        }
        head={
          <div className={styles['head']} aria-hidden>
            <span>{text('people.person')}</span>
            <span>{text('people.email')}</span>
            <span>{text('people.role')}</span>
          </div>
        }
        queryKey={groupPeopleKey(id, group)}
        load={(page) => api.call('GET /user_groups/{id}/users', { path: { id: group }, query: page })}
        keyOf={(user) => user.id ?? ''}
        row={(user) => <MemberRow user={user} adminIds={adminIds} />}
      />
      <Invitations project={id} />
      {isAdding && <AddPeople group={group} title={text('people.add')} onClose={() => setAdding(false)} />}
      <ApiCall path={`/user_groups/${group}/users`} />
    </PageLayout>
  )
}

interface MemberRowProps {
  readonly user: User
  /** Undefined until they are loaded. */
  readonly adminIds: ReadonlySet<User['id']> | undefined
}

function MemberRow({ user, adminIds }: MemberRowProps) {
  const { id: project } = useSettingsProject()
  const { data: session } = useSession()
  const navigate = useNavigate()
  const { id } = user
  if (id === null) return null
  const name = personName(user)
  const isOwn = session?.user.id === id
  const isAdmin = adminIds?.has(id) === true
  const [admins, members] = [adminsGroup(project), membersGroup(project)]
  const switchRole = () =>
    changePeople(project, admins, isAdmin ? { remove: [id] } : { add: [id] }, {
      done: text(isAdmin ? 'people.no_admin' : 'people.is_admin', { name }),
      undo: isAdmin ? { add: [id] } : { remove: [id] },
    })
  const remove = () =>
    changePeople(
      project,
      members,
      { remove: [id] },
      { done: text('people.removed', { name }), undo: { add: [id], group: isAdmin ? admins : members } },
    )
  // After leaving, an administrator may not undo it.
  const leave = async () => {
    if (await changePeople(project, members, { remove: [id] }, { done: text('people.left') }))
      await navigate({ to: '/' })
  }
  const refused = isAdmin && adminIds.size === 1 ? text('people.only_admin') : undefined
  return (
    <PersonRow
      user={user}
      role={
        adminIds ? (
          <ChoiceMenu
            label={text('people.role_of', { name })}
            isBare
            isQuiet
            value={isAdmin ? 'admin' : 'member'}
            options={[
              { value: 'member', label: text('people.member'), note: text('people.member.note'), whyNot: refused },
              { value: 'admin', label: text('people.admin'), note: text('people.admin.note') },
            ]}
            onChange={() => void switchRole()}
          />
        ) : null
      }
    >
      {adminIds && (
        <RowMenu
          label={text('people.actions', { name })}
          actions={[
            {
              label: text(isOwn ? 'people.leave' : 'people.remove'),
              isDanger: true,
              refused,
              onPress: () => void (isOwn ? leave() : remove()),
            },
          ]}
        />
      )}
    </PersonRow>
  )
}

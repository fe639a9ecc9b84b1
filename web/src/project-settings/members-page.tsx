import { useQuery } from '@tanstack/react-query'
import type { User } from '@waypost/sdk/api'
import { useState } from 'react'
import { api } from '../api.ts'
import { ApiCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { PagedPanel } from '../design/paged-panel.tsx'
import { PageLayout } from '../design/page.tsx'
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
import { useSettingsProject } from './use-settings-project.ts'

/** The members of a project and their roles, and invitations. */
export function MembersPage() {
  const { id } = useSettingsProject()
  const group = membersGroup(id)
  const { data: admins = [] } = useQuery(groupPeopleQuery(id, adminsGroup(id)))
  const [isAdding, setAdding] = useState(false)
  const adminIds = new Set(admins.map((admin) => admin.id))
  return (
    <PageLayout title={text('members.title')} lead={text('people.lead')}>
      <PagedPanel
        title={text('members.title')}
        none={text('people.none')}
        actions={
          <Button kind="primary" onPress={() => setAdding(true)}>
            {text('people.add')}
          </Button>
        }
        queryKey={groupPeopleKey(id, group)}
        load={(page) => api.call('GET /user_groups/{id}/users', { path: { id: group }, query: page })}
        keyOf={(user) => user.id ?? ''}
        row={(user) => <MemberRow user={user} isAdmin={adminIds.has(user.id)} />}
      />
      <Invitations project={id} />
      {isAdding && <AddPeople group={group} title={text('people.add')} onClose={() => setAdding(false)} />}
      <ApiCall path={`/user_groups/${group}/users`} />
    </PageLayout>
  )
}

function MemberRow({ user, isAdmin }: { readonly user: User; readonly isAdmin: boolean }) {
  const { id: project } = useSettingsProject()
  const { id } = user
  if (id === null) return null
  const name = personName(user)
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
  return (
    <PersonRow user={user} tag={isAdmin ? text('people.admin') : undefined}>
      <Button
        aria-label={text(isAdmin ? 'people.end_admin_what' : 'people.make_admin_what', { name })}
        onPress={() => void switchRole()}
      >
        {text(isAdmin ? 'people.end_admin' : 'people.make_admin')}
      </Button>
      <Button aria-label={text('people.remove_what', { name })} onPress={() => void remove()}>
        {text('people.remove')}
      </Button>
    </PersonRow>
  )
}

import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { PagedPanel } from '../design/paged-panel.tsx'
import { text } from '../projects/messages.ts'
import { AddPeople } from './add-people.tsx'
import { DeleteGroup } from './delete-group.tsx'
import { GroupNameDialog } from './group-name-dialog.tsx'
import { changePeople, groupPeopleKey, personName } from './people-queries.ts'
import styles from './people.module.css'
import { PersonRow } from './person-row.tsx'
import { useSettingsProject } from './use-settings-project.ts'

interface Props {
  readonly group: { readonly id: string; readonly short_name: string }
}

export function GroupPanel({ group }: Props) {
  const { id: project } = useSettingsProject()
  const [asked, setAsked] = useState<'name' | 'people' | 'delete'>()
  const close = () => setAsked(undefined)
  const { id, short_name: name } = group
  const remove = (person: number, who: string) =>
    changePeople(
      project,
      id,
      { remove: [person] },
      { done: text('groups.removed', { name: who, group: name }), undo: { add: [person] } },
    )
  return (
    <>
      <PagedPanel
        title={name}
        none={text('groups.empty')}
        actions={
          <div className={styles['buttons']}>
            <Button aria-label={text('groups.rename_what', { group: name })} onPress={() => setAsked('name')}>
              {text('groups.rename')}
            </Button>
            <Button aria-label={text('groups.add_what', { group: name })} onPress={() => setAsked('people')}>
              {text('people.add')}
            </Button>
            <Button
              kind="danger"
              aria-label={text('groups.delete_what', { group: name })}
              onPress={() => setAsked('delete')}
            >
              {text('delete')}
            </Button>
          </div>
        }
        queryKey={groupPeopleKey(project, id)}
        load={(page) => api.call('GET /user_groups/{id}/users', { path: { id }, query: page })}
        keyOf={(user) => user.id ?? ''}
        row={(user) => {
          const { id: person } = user
          if (person === null) return null
          const who = personName(user)
          return (
            <PersonRow user={user}>
              <Button
                aria-label={text('groups.remove_what', { name: who, group: name })}
                onPress={() => void remove(person, who)}
              >
                {text('people.remove')}
              </Button>
            </PersonRow>
          )
        }}
      />
      {asked === 'name' && <GroupNameDialog group={group} onClose={close} />}
      {asked === 'delete' && <DeleteGroup group={group} onClose={close} />}
      {asked === 'people' && <AddPeople group={id} title={text('groups.add_what', { group: name })} onClose={close} />}
    </>
  )
}

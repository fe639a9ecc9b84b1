import { useQuery } from '@tanstack/react-query'
import { Mail, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../accounts/session.ts'
import { peopleQuery } from '../artifacts/people-query.ts'
import { useDebounced } from '../artifacts/use-debounced.ts'
import { Icon } from '../design/icon.tsx'
import { Avatar } from '../design/marks.tsx'
import type { PickOption } from '../design/pick-list.tsx'
import { text } from '../projects/messages.ts'
import { groupPeopleQuery, membersGroup, personName, projectGroupsQuery } from './people-queries.ts'

/** A person, everyone of a group, or an address. */
export interface PersonChoice extends PickOption {
  readonly name: string
  readonly mark: ReactNode
  readonly what:
    | { readonly kind: 'person'; readonly id: number }
    | { readonly kind: 'group'; readonly id: string }
    | { readonly kind: 'address'; readonly email: string }
}

/** The choices for the typed words. Only the group of all members takes addresses. */
export function usePersonChoices(project: number, group: string, typed: string): readonly PersonChoice[] {
  const { data: session } = useSession()
  const words = useDebounced(typed.trim())
  const { data: people = [] } = useQuery(peopleQuery(words))
  const { data: groups = [] } = useQuery(projectGroupsQuery(project))
  const { data: present = [] } = useQuery(groupPeopleQuery(project, group))
  const presentIds = new Set(present.map(({ id }) => id))
  const mayInvite = session?.user.is_site_admin === true || session?.settings.who_may_invite !== 'site_admins'
  const found = people.flatMap((user): readonly PersonChoice[] => {
    const { id, username } = user
    if (id === null || words === '') return []
    const name = personName(user)
    return [
      {
        id: `person-${id}`,
        name,
        label: username === null ? name : text('people.with_login', { name, login: username }),
        mark: <Avatar person={{ ...user, name }} size={20} />,
        whyNot: presentIds.has(id) ? text('people.already') : undefined,
        what: { kind: 'person', id },
      },
    ]
  })
  const ofGroups = groups
    .filter(({ id, short_name }) => id !== group && short_name.toLowerCase().includes(typed.trim().toLowerCase()))
    .map(({ id, short_name }): PersonChoice => {
      const name = text('people.everyone_in', { group: short_name })
      return { id: `group-${id}`, name, label: name, mark: <Icon of={Users} />, what: { kind: 'group', id } }
    })
  const addresses = group === membersGroup(project) ? addressesIn(typed) : []
  const invited = addresses.map(
    (email): PersonChoice => ({
      id: `address-${email}`,
      name: email,
      label: text('people.invite', { email }),
      mark: <Icon of={Mail} />,
      whyNot: mayInvite ? undefined : text('people.may_not_invite'),
      what: { kind: 'address', email },
    }),
  )
  return [...found, ...invited, ...ofGroups]
}

function addressesIn(typed: string): readonly string[] {
  return typed.split(/[\s,;]+/).filter((word) => /^[^@]+@[^@]+$/.test(word))
}

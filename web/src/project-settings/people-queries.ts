import { queryOptions } from '@tanstack/react-query'
import type { User } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { groupsOfMineQuery } from '../projects/use-may-administer.ts'
import { text } from '../projects/messages.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'

/** The numbers of these groups are the same in every project. */
const PROJECT_MEMBERS = 3
const PROJECT_ADMINS = 4

export const membersGroup = (project: number): string => `${project}_${PROJECT_MEMBERS}`
export const adminsGroup = (project: number): string => `${project}_${PROJECT_ADMINS}`

export const groupPeopleKey = (project: number, group: string) => ['projects', project, 'people', group] as const

/** Everyone in a group. */
export const groupPeopleQuery = (project: number, group: string) =>
  queryOptions({
    queryKey: [...groupPeopleKey(project, group), 'all'],
    queryFn: () =>
      Array.fromAsync(api.list('GET /user_groups/{id}/users', { path: { id: group }, query: { limit: 50 } })),
  })

export const projectGroupsQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'groups'],
    queryFn: async () => {
      const groups = await read(api.call('GET /projects/{id}/user_groups', { path: { id: project } }))
      // Groups of the platform have the number of the project in their id.
      return groups.filter(({ id }) => !id.includes('_'))
    },
  })

export function personName({ real_name, username }: Pick<User, 'real_name' | 'username'>): string {
  return real_name ?? username ?? ''
}

interface PeopleChange {
  readonly add?: readonly number[]
  readonly remove?: readonly number[]
}

interface ChangeTexts {
  readonly done: string
  /** The change that undoes this one, and its group if that is another one. */
  readonly undo?: PeopleChange & { readonly group?: string }
}

/** Adds and removes people of a group; the message offers undo. Returns whether it is done. */
export async function changePeople(
  project: number,
  group: string,
  { add = [], remove = [] }: PeopleChange,
  { done, undo }: ChangeTexts,
): Promise<boolean> {
  const toReference = (id: number) => ({ id })
  const answer = await api.call('PATCH /user_groups/{id}/users', {
    path: { id: group },
    body: { add: add.map(toReference), remove: remove.map(toReference) },
  })
  if (answer.ok) {
    const revert = () => void changePeople(project, undo?.group ?? group, undo ?? {}, { done: text('people.undone') })
    showToast(done, undo ? { undo: revert } : {})
  } else showRefusal(answer)
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['projects', project] }),
    queryClient.invalidateQueries(groupsOfMineQuery),
  ])
  return answer.ok
}

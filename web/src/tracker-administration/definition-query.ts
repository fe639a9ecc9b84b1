import { queryOptions } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import { api, read } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { type Definition, parseEditedDefinition } from './definition.ts'

export interface StoredDefinition {
  readonly definition: Definition
  /** The version, for the following write. */
  readonly etag: string | undefined
}

export const definitionQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'definition'],
    queryFn: async (): Promise<StoredDefinition> => {
      const answer = await api.call('GET /trackers/{id}/definition', { path: { id: tracker } })
      if (!answer.ok) throw new Refusal(answer)
      return { definition: parseEditedDefinition(answer.body), etag: answer.etag }
    },
  })

export interface GrantableGroup {
  /** The name used in definitions. */
  readonly name: string
  readonly label: string
}

const SYSTEM = new Map([
  ['all_users', '@anonymous'],
  ['registered_users', '@registered'],
  ['project_members', '@members'],
  ['project_admins', '@admins'],
])
const WIDEST_FIRST = ['@anonymous', '@registered', '@members', '@admins']

/** Groups that permissions can be granted to: the built-in ones, widest first, then those of the project. */
export const groupsQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'groups'],
    staleTime: 60_000,
    queryFn: async (): Promise<readonly GrantableGroup[]> => {
      const query = JSON.stringify({ with_system_user_groups: true })
      const groups = await read(api.call('GET /projects/{id}/user_groups', { path: { id: project }, query: { query } }))
      const all = groups.map(({ short_name, label }) => ({ name: SYSTEM.get(short_name) ?? short_name, label }))
      const wide = WIDEST_FIRST.flatMap((name) => all.find((each) => each.name === name) ?? [])
      const own = all.filter(({ name }) => !name.startsWith('@') && !UNFIT.includes(name))
      return [...wide, ...own]
    },
  })

/** Groups that have no meaning in tracker permissions. */
const UNFIT = ['authenticated_users', 'svn_admins', 'nobody']

/** Invalidates everything that shows the tracker. */
export async function forgetTracker(tracker: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['trackers', tracker] })
}

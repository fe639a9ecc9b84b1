import { queryOptions } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import { api, read } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { type Definition, readDefinition } from './definition.ts'

export interface Stored {
  readonly definition: Definition
  /** The version of it, for the write that follows. */
  readonly etag: string | undefined
}

export const definitionQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'definition'],
    queryFn: async (): Promise<Stored> => {
      const answer = await api.call('GET /trackers/{id}/definition', { path: { id: tracker } })
      if (!answer.ok) throw new Refusal(answer)
      return { definition: readDefinition(answer.body), etag: answer.etag }
    },
  })

export interface Group {
  /** As definitions call it. */
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

/** Those that rights can be given to: those of every project from the widest on, then the project's own. */
export const groupsQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'groups'],
    staleTime: 60_000,
    queryFn: async (): Promise<readonly Group[]> => {
      const query = JSON.stringify({ with_system_user_groups: true })
      const groups = await read(api.call('GET /projects/{id}/user_groups', { path: { id: project }, query: { query } }))
      const all = groups.map(({ short_name, label }) => ({ name: SYSTEM.get(short_name) ?? short_name, label }))
      const wide = WIDEST_FIRST.flatMap((name) => all.find((each) => each.name === name) ?? [])
      const own = all.filter(({ name }) => !name.startsWith('@') && !UNFIT.includes(name))
      return [...wide, ...own]
    },
  })

/** Groups that mean something elsewhere. */
const UNFIT = ['authenticated_users', 'svn_admins', 'nobody']

/** All that shows the tracker asks again. */
export async function forgetTracker(tracker: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['trackers', tracker] })
}

import { queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { api, read } from '../api.ts'
import { openCountsQuery, trackersQuery } from '../projects/projects-queries.ts'
import { queryClient } from '../query-client.ts'

const PREFERENCE = 'pages.checklist'
const OVER = 'over'
const PATH = { id: 'self' } as const

/** Whether the first steps are done or dismissed. The server keeps it, so it holds on every device. */
export const checklistQuery = queryOptions({
  queryKey: ['users', 'self', 'checklist'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => {
    const { value } = await read(api.call('GET /users/{id}/preferences', { path: PATH, query: { key: PREFERENCE } }))
    return value === OVER
  },
})

export async function setChecklistOver(isOver: boolean): Promise<void> {
  const answer = isOver
    ? await api.call('PATCH /users/{id}/preferences', { path: PATH, body: { key: PREFERENCE, value: OVER } })
    : await api.call('DELETE /users/{id}/preferences', { path: PATH, query: { key: PREFERENCE } })
  if (answer.ok) queryClient.setQueryData(checklistQuery.queryKey, isOver)
}

export interface FirstSteps {
  /** The first project that the viewer administers. */
  readonly shortname: string | undefined
  readonly tracker: number | undefined
  readonly done: Readonly<Record<'project' | 'people' | 'tracker' | 'artifact', boolean>>
}

/** How far the viewer has come, by what exists. */
export const firstStepsQuery = queryOptions({
  queryKey: ['projects', 'first-steps'],
  queryFn: async (): Promise<FirstSteps> => {
    const query = { query: '{"is_admin_of":true}', limit: 1 }
    const [project] = await read(api.call('GET /projects', { query }))
    if (!project) return { shortname: undefined, tracker: undefined, done: NOTHING_DONE }
    const { id, shortname } = project
    const [people, trackers] = await Promise.all([countPeople(id), queryClient.fetchQuery(trackersQuery(id))])
    const counts = await Promise.all(trackers.map((tracker) => queryClient.fetchQuery(openCountsQuery(tracker.id))))
    const done = {
      project: true,
      people: people > 1,
      tracker: trackers.length > 0,
      artifact: counts.some((count) => count !== null && count.total > 0),
    }
    return { shortname, tracker: trackers[0]?.id, done }
  },
})

const NOTHING_DONE = { project: false, people: false, tracker: false, artifact: false }

/** Members and invited people. */
async function countPeople(project: number): Promise<number> {
  const none = { limit: 0 }
  const answers = await Promise.all([
    api.call('GET /user_groups/{id}/users', { path: { id: `${project}_3` }, query: none }),
    api.call('GET /projects/{id}/invitations', { path: { id: project }, query: none }),
  ])
  return answers.reduce((sum, answer) => {
    if (!answer.ok) throw new Refusal(answer)
    return sum + sizeOf(answer)
  }, 0)
}

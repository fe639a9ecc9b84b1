import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

/** The announcement of a project; null without one. */
export const bannerQuery = (id: number) =>
  queryOptions({
    queryKey: ['projects', id, 'banner'],
    queryFn: async () => {
      const answer = await api.call('GET /projects/{id}/banner', { path: { id } })
      return answer.ok ? answer.body.message : null
    },
  })

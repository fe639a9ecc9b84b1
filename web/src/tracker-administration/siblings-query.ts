import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

/** The trackers of a project with their item names, by which definitions refer to them. */
export const siblingsQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'trackers', 'siblings'],
    staleTime: 60_000,
    queryFn: async () => {
      const trackers = await Array.fromAsync(
        api.list('GET /projects/{id}/trackers', {
          path: { id: project },
          query: { fields: 'label,item_name', limit: 50 },
        }),
      )
      return trackers.flatMap((each) =>
        'item_name' in each ? [{ id: each.id, label: each.label, item_name: each.item_name }] : [],
      )
    },
  })

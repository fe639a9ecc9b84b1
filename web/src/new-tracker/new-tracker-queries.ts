import { queryOptions } from '@tanstack/react-query'
import type { TrackerDefinition } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { toElementName } from '../tracker-administration/names.ts'

/** Longer names would make references hard to read. */
const MAX_ITEM_NAME = 60

export const templatesQuery = queryOptions({
  queryKey: ['tracker_templates'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: () => read(api.call('GET /tracker_templates')),
})

/** The names that trackers of a project have, for suggestions of others. */
export interface TakenNames {
  readonly labels: ReadonlySet<string>
  /** In lower case: item names are unique without regard to case. */
  readonly itemNames: ReadonlySet<string>
}

export const takenNamesQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'trackers', 'names'],
    queryFn: async (): Promise<TakenNames> => {
      const trackers = await Array.fromAsync(
        api.list('GET /projects/{id}/trackers', {
          path: { id: project },
          query: { fields: 'label,item_name', limit: 50 },
        }),
      )
      return {
        labels: new Set(trackers.map(({ label }) => label)),
        itemNames: new Set(trackers.map((each) => ('item_name' in each ? each.item_name.toLowerCase() : ''))),
      }
    },
  })

export interface TrackerNames {
  readonly label: string
  readonly item_name: string
}

/** The names of a definition; with a number appended if the project has a tracker of that name. */
export function freeNames({ label, item_name }: TrackerNames, { labels, itemNames }: TakenNames): TrackerNames {
  for (let count = 1; ; count++) {
    const names =
      count === 1 ? { label, item_name } : { label: `${label} ${count}`, item_name: `${item_name}_${count}` }
    if (!labels.has(names.label) && !itemNames.has(names.item_name.toLowerCase())) return names
  }
}

export function namesOf({ label = '', item_name = '' }: TrackerDefinition): TrackerNames {
  return { label, item_name }
}

/** `Open bugs` becomes `open_bugs`. */
export function toItemName(label: string): string {
  return toElementName(label, '', new Set()).slice(0, MAX_ITEM_NAME)
}

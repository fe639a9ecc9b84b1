import type { Client } from './client.ts'
import { MARA, TOM } from './people.ts'
import { ORCHARD } from './places.ts'

/** A tracker whose artifacts show what refers to them, and one artifact of it. */
export async function plantTree(api: Client) {
  const elements = [
    { name: 'title', type: 'string', label: 'Title' },
    { name: 'seen', type: 'cross', label: 'References' },
  ]
  const definition = { label: 'Plants', item_name: 'plant', elements, permissions: { full: ['@anonymous'] } }
  const tracker = await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: definition })
  if (tracker.status !== 201) throw new Error(tracker.text)
  const field = (wanted: string) => tracker.json.fields.find(({ name }: { name: string }) => name === wanted).field_id
  const create = async () => {
    const values = [{ field_id: field('title'), value: 'Apple' }]
    const { json } = await api.post('/artifacts', { as: MARA, body: { tracker: { id: tracker.json.id }, values } })
    return Number(json.id)
  }
  const id = await create()
  return {
    id,
    create,
    /** The commits that are shown on an artifact: `svn #core/318`. */
    references: async (artifact = id, from = api): Promise<string[]> => {
      const { json } = await from.get(`/artifacts/${artifact}?values_format=all`, { as: TOM })
      const { value } = json.values.find(({ field_id }: { field_id: number }) => field_id === field('seen')) ?? {}
      return (value ?? []).map(({ ref }: { ref: string }) => ref)
    },
  }
}

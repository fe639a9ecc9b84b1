import type { Context } from '../src/platform/operation/context.ts'
import type { TrackerDefinition } from '../src/trackers/definition/schemas.ts'
import type { Client } from './client.ts'
import { MARA, type Person } from './people.ts'
import { BUGS, ORCHARD } from './places.ts'

type Whole = Required<TrackerDefinition>

/** Gets and puts definitions, that of Bugs if no other is named. */
export function definitionsOf(api: Client) {
  const get = async (id: number = BUGS): Promise<Whole> =>
    (await api.get(`/trackers/${id}/definition`, { as: MARA })).json
  return {
    get,
    put: (body: unknown, query = '', options: { as?: Person; headers?: Record<string, string>; id?: number } = {}) =>
      api.put(`/trackers/${options.id ?? BUGS}/definition?${query}`, { as: MARA, ...options, body }),
    /** The definition as it is, with a change. */
    changed: async (change: (document: Whole) => void, id?: number): Promise<Whole> => {
      const document = await get(id)
      change(document)
      return document
    },
  }
}

export function named(document: TrackerDefinition, name: string) {
  const found = document.elements?.flatMap((each) => [each, ...(each.content ?? [])]).find((each) => each.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

export function without(document: Whole, ...names: string[]): void {
  for (const each of document.elements)
    each.content = each.content?.filter(({ name = '' }) => !names.includes(name)) ?? null
  document.elements = document.elements.filter(({ name = '' }) => !names.includes(name))
}

export function statusBind(document: TrackerDefinition) {
  const { bind } = named(document, 'status')
  if (bind?.type !== 'static') throw new Error('The status is a static list.')
  return bind
}

/** An artifact of Bugs that has these values. */
export async function storeValues({ db, clock }: Context, field_values: Record<string, unknown>): Promise<void> {
  const row = {
    project_id: ORCHARD,
    tracker_id: BUGS,
    number: 1,
    field_values,
    submitted_on: clock.now(),
    last_modified_date: clock.now(),
    last_modified: clock.now(),
  }
  const { id } = await db.insertInto('artifact').values(row).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('changeset')
    .values({
      project_id: ORCHARD,
      artifact_id: id,
      tracker_id: BUGS,
      version: 1,
      submitted_on: clock.now(),
      last_modified: clock.now(),
      changes: field_values,
    })
    .execute()
}

import type { FileId } from '../../files/file.ts'
import { findOpenValue, findOpenValues } from '../../trackers/binds/population.ts'
import type { FoundPerson, OpenValue } from '../../trackers/field-types/field-type.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Element, FieldId } from '../../trackers/tracker.ts'
import type { NamedFile } from '../attachments/find-named-files.ts'
import type { LinkEnd } from '../links/find-link-ends.ts'
import { type Lookups, lookupsOf } from '../update-artifact/lookups.ts'
import type { Asker } from '../reading/audience.ts'

/**
 * Batching and caching for drafts made concurrently: simultaneous lookups share one statement, and results are cached.
 * Valid until the first write.
 */
export function batchedLookups(asker: Asker): Lookups {
  const single = lookupsOf(asker)
  const people = new Map<FieldId, (wanted: number | string) => Promise<readonly FoundPerson[]>>()
  const peopleOf = (tracker: LoadedTracker, field: Element) =>
    getOrCreate(people, field.id, () =>
      batchLoader(async (wanted) => {
        const found = Map.groupBy(await single.choose(tracker, field, wanted, []), (each) => each.wanted)
        return (one) => found.get(one) ?? []
      }),
    )
  const labels = new Map<FieldId, (label: string) => Promise<OpenValue | undefined>>()
  const labelsOf = (field: FieldId) =>
    getOrCreate(labels, field, () =>
      batchLoader(async (asked) => {
        const found = await findOpenValues(asker.db, field, asked)
        return (label) => found.get(label)
      }),
    )
  const endOf = batchLoader<number, LinkEnd | undefined>(async (ids) => {
    const found = await single.findEnds(ids)
    return (id) => found.get(id)
  })
  const fileOf = batchLoader<FileId, NamedFile | undefined>(async (ids) => {
    const found = await single.findFiles(ids)
    return (id) => found.get(id)
  })
  const offers = new Map<FieldId, ReturnType<Lookups['listOffered']>>()
  const types = new Map<number, ReturnType<Lookups['linkTypes']>>()
  return {
    async choose(tracker, field, wanted, stays) {
      if (stays.length > 0) return single.choose(tracker, field, wanted, stays)
      return (await Promise.all(wanted.map(peopleOf(tracker, field)))).flat()
    },
    listOffered: (tracker, field) => getOrCreate(offers, field.id, () => single.listOffered(tracker, field)),
    findOpenValue: (field, given) =>
      'id' in given ? findOpenValue(asker.db, field, given) : labelsOf(field)(given.label),
    async findEnds(ids) {
      const ends = await Promise.all(ids.map(endOf))
      return new Map(ends.flatMap((end) => (end ? [[Number(end.id), end]] : [])))
    },
    async findFiles(ids) {
      const files = await Promise.all(ids.map(fileOf))
      return new Map(files.flatMap((found) => (found ? [[found.file.id, found]] : [])))
    },
    linkTypes: (project) => getOrCreate(types, project, () => single.linkTypes(project)),
  }
}

/** Collects keys until all running drafts are waiting, then loads them together. */
function batchLoader<Key, Found>(
  load: (keys: readonly Key[]) => Promise<(key: Key) => Found>,
): (key: Key) => Promise<Found> {
  const asked = new Map<Key, Promise<Found>>()
  let waiting: { readonly keys: Key[]; readonly answer: Promise<(key: Key) => Found> } | undefined
  const gather = () => {
    const keys: Key[] = []
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      waiting = undefined
      return load(keys)
    })
    return { keys, answer }
  }
  return (key) =>
    getOrCreate(asked, key, () => {
      waiting ??= gather()
      waiting.keys.push(key)
      return waiting.answer.then((find) => find(key))
    })
}

function getOrCreate<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

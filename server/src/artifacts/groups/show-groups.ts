import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { type FullUserRow, representUserMinimal, usersByIdSql } from '../../accounts/users/user.ts'
import { toId } from '../../platform/database/ids.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import type { GroupedList, GroupValue } from '../../trackers/search/group-value.ts'
import { BUCKETS } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import type { Audience } from '../reading/audience.ts'
import { findArtifacts } from '../reading/find-artifact.ts'
import { readableTitle } from '../reading/title.ts'
import type { Counted, FoundGroups, FoundKey } from './find-groups.ts'
import type { FoundSeries } from './find-series.ts'
import type { Grouping, GroupKey } from './grouping.ts'

const GroupedBy = Type.Object(
  {
    name: Type.String(),
    field_id: nullable(Type.Integer(), 'Null: it is no field, but what every artifact has.'),
    type: nullable(Type.String(), 'The type of the field.'),
    bucket: nullable(Type.Enum([...BUCKETS])),
  },
  { title: 'GroupedBy' },
)

const Key = Type.Union(
  [
    Type.Object({ id: Type.Union([Type.Integer(), Type.String()]), label: Type.String() }, { title: 'GroupedValue' }),
    UserMinimal,
    Type.Object(
      { id: Type.Integer(), xref: Type.String(), label: nullable(Type.String(), 'The title.') },
      { title: 'GroupedParent' },
    ),
    Type.Boolean(),
    Type.String({ format: 'date', description: 'The first day of the bucket.' }),
    Type.Null(),
  ],
  { description: 'A list value, a person, a parent, whether it is open, or a day. Null for no value.' },
)
type Key = Static<typeof Key>

const Group = Type.Object(
  {
    key: Type.Array(Key, { description: 'One per key of `by`.' }),
    count: Type.Integer(),
    sum: Type.Record(Type.String(), nullable(Type.Number()), { description: 'By field name.' }),
  },
  { title: 'Group' },
)

const total = Type.Integer({
  description: 'The number of artifacts; each counts once, even if it is in several groups.',
})

export const GroupCounts = Type.Object(
  { by: Type.Array(GroupedBy), total, groups: Type.Array(Group) },
  { title: 'GroupCounts' },
)

export const GroupSeries = Type.Object(
  {
    by: Type.Array(GroupedBy),
    series: Type.Array(
      Type.Object(
        { at: Type.String({ description: 'The last second of the step.' }), total, groups: Type.Array(Group) },
        { title: 'GroupCountsThen' },
      ),
    ),
  },
  { title: 'GroupCountSeries' },
)

export async function showGroups(
  audience: Audience,
  grouping: Grouping,
  { total: all, groups }: Pick<FoundGroups, 'total' | 'groups'>,
): Promise<Static<typeof GroupCounts>> {
  const show = await showingOf(audience, grouping, groups)
  return { by: showBy(grouping), total: all, groups: groups.map((each) => show(each, each)) }
}

export async function showSeries(
  audience: Audience,
  grouping: Grouping,
  ends: readonly Date[],
  { totals, groups }: Pick<FoundSeries, 'totals' | 'groups'>,
): Promise<Static<typeof GroupSeries>> {
  const show = await showingOf(audience, grouping, groups)
  const steps = ends.map((): Static<typeof Group>[] => [])
  for (const each of groups)
    for (const [step, count, ...sums] of each.steps) steps[step - 1]?.push(show(each, { count, sums }))
  const series = ends.map((end, at) => ({
    at: apiDate(new Date(end.getTime() - 1)),
    total: totals[at] ?? 0,
    groups: steps[at] ?? [],
  }))
  return { by: showBy(grouping), series }
}

function showBy({ keys }: Grouping): Static<typeof GroupedBy>[] {
  return keys.map(({ name, element, bucket }) => ({
    name,
    field_id: element?.id ?? null,
    type: element?.type ?? null,
    bucket: bucket ?? null,
  }))
}

/** Representations of the keys; all people are read at once. */
async function showingOf(audience: Audience, { keys, sums }: Grouping, found: readonly FoundKey[]) {
  const people = await findPeople(audience, keys, found)
  const parents = await findParents(audience, keys, found)
  const shown = keys.map((key) => showingKeys(key, people, parents))
  return ({ values, names }: FoundKey, counted: Counted): Static<typeof Group> => ({
    key: shown.map((show, at) => show(values[at] ?? null, names[at] ?? '')),
    count: counted.count,
    sum: Object.fromEntries(sums.map(({ name }, at) => [name, countable(counted.sums[at] ?? null)])),
  })
}

async function findPeople({ context, db }: Audience, keys: readonly GroupKey[], found: readonly FoundKey[]) {
  const ids = idsOfKind('person', keys, found)
  if (ids.size === 0) return new Map<number, UserMinimal>()
  const { rows } = await sql<FullUserRow>`${usersByIdSql(sql`${[...ids]}::bigint[]`)}`.execute(db)
  return new Map<number, UserMinimal>(rows.map((row) => [row.id, representUserMinimal(context, row)]))
}

/** A parent that has become invisible since it was counted is omitted. */
async function findParents({ context, db, viewer }: Audience, keys: readonly GroupKey[], found: readonly FoundKey[]) {
  const ids = [...idsOfKind('parent', keys, found)].map((id) => toId<ArtifactId>(id))
  const parents = ids.length === 0 ? [] : await findArtifacts(context, db, viewer, ids, { extent: 'head' })
  return new Map<number, Key>(
    parents.map((parent): [number, Key] => {
      const { id } = parent.artifact
      return [id, { id, xref: `${parent.access.tracker.item_name} #${id}`, label: readableTitle(parent) }]
    }),
  )
}

function idsOfKind(kind: GroupValue['kind'], keys: readonly GroupKey[], found: readonly FoundKey[]): Set<number> {
  const ids = found.flatMap(({ values }) => values.filter((_, at) => keys[at]?.value.kind === kind))
  return new Set(ids.filter((id) => id !== null))
}

function showingKeys(
  { value }: GroupKey,
  people: ReadonlyMap<number, UserMinimal>,
  parents: ReadonlyMap<number, Key>,
): (number: number | null, name: string) => Key {
  if (value.kind === 'list') return showingValues(value)
  if (value.kind === 'person') return (id) => (id === null ? null : (people.get(id) ?? null))
  if (value.kind === 'parent') return (id) => (id === null ? null : (parents.get(id) ?? null))
  if (value.kind === 'open') return (isOpen) => isOpen === 1
  return (day) => (day === null ? null : new Date(day * DAY_MS).toISOString().slice(0, 10))
}

const DAY_MS = 86_400_000

function showingValues({ values, idOfAdded }: GroupedList): (number: number | null, name: string) => Key {
  const shown = new Map(values.map(({ number, id, label }) => [number, { id, label }]))
  const added = (number: number, label: string) => (idOfAdded ? { id: idOfAdded(number), label } : null)
  return (number, label) => (number === null ? null : (shown.get(number) ?? added(number, label)))
}

/** Clamps a sum to the range of JSON numbers. */
function countable(sum: number | null): number | null {
  return sum === null ? null : Math.min(Math.max(sum, -Number.MAX_VALUE), Number.MAX_VALUE)
}

import type { MadeTracker } from '../fixtures/every-field.ts'
import { dayOf } from '../suites/truth/zones.ts'

const DAY_MS = 86_400_000

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
export type AnyJson = any

/** The groups of an artifact under one key, as texts. */
function groupsIn(tracker: MadeTracker, artifact: AnyJson, key: string, zone: string): string[] {
  if (key === 'is_open') return [String(artifact.is_open)]
  const [name = '', bucket] = key.split(':')
  const meant = new Map([
    ['@status', 'status'],
    ['@assigned_to', 'assigned_to'],
    ['@submitted_on', 'submitted_on'],
    ['@last_update_by', 'last_update_by'],
  ])
  const field = tracker.field(meant.get(name) ?? name)
  const value = artifact.values.find(({ field_id }: AnyJson) => field_id === field)
  const chosen = value?.bind_value_objects ?? value?.values ?? (value?.value === null ? [] : [value?.value])
  const shown: string[] = chosen
    .filter((each: AnyJson) => each !== undefined && each.is_anonymous !== true)
    .map((each: AnyJson) =>
      bucket ? bucketOf(each, bucket, name === 'due' ? undefined : zone) : String(each.username ?? each.id),
    )
  return shown.length === 0 ? ['null'] : shown
}

function bucketOf(written: string, bucket: string, zone: string | undefined): string {
  const day = zone === undefined ? written.slice(0, 10) : dayOf(zone, Date.parse(written))
  const date = new Date(day)
  const [year, month] = [day.slice(0, 4), date.getUTCMonth()]
  if (bucket === 'year') return `${year}-01-01`
  if (bucket === 'quarter') return `${year}-${String(Math.floor(month / 3) * 3 + 1).padStart(2, '0')}-01`
  if (bucket === 'month') return `${day.slice(0, 8)}01`
  if (bucket === 'day') return day
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10)
}

/** Counts by group label. */
type Count = Record<string, { count: number; sum: Record<string, string | null> }>

/** The expected count per group, and the sums of numeric fields. */
export function expectedCounts(
  tracker: MadeTracker,
  artifacts: readonly AnyJson[],
  keys: readonly string[],
  sums: readonly string[],
  zone: string,
): Count {
  const found = new Map<string, AnyJson[]>()
  for (const artifact of artifacts) {
    const [first = [], second = ['']] = keys.map((key) => groupsIn(tracker, artifact, key, zone))
    for (const one of first)
      for (const other of second) {
        const key = keys.length === 2 ? `${one} ${other}` : one
        found.set(key, [...(found.get(key) ?? []), artifact])
      }
  }
  return Object.fromEntries(
    [...found].map(([key, those]) => [
      key,
      { count: those.length, sum: Object.fromEntries(sums.map((name) => [name, addUp(tracker, those, name)])) },
    ]),
  )
}

function addUp(tracker: MadeTracker, artifacts: readonly AnyJson[], name: string): string | null {
  const numbers = artifacts.flatMap(({ values }) => {
    const value = values.find(({ field_id }: AnyJson) => field_id === tracker.field(name))?.value
    return typeof value === 'number' ? [value] : []
  })
  return numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each, 0).toFixed(6)
}

/** The same from a response. */
export function reportedCounts(groups: readonly AnyJson[]): Count {
  return Object.fromEntries(
    groups.map(({ key, count, sum }) => [
      key.map((each: AnyJson) => String(each === null ? null : (each.username ?? each.id ?? each))).join(' '),
      {
        count,
        sum: Object.fromEntries(
          Object.entries(sum).map(([name, each]) => [name, each === null ? null : Number(each).toFixed(6)]),
        ),
      },
    ]),
  )
}

/** `npm outdated --json`: per outdated package, one entry or one per workspace. */
export type Outdated = Record<string, Behind | readonly Behind[]>

interface Behind {
  readonly current?: string
  readonly latest: string
}

/** `npm view <name> time --json`: the publish time of each version. */
export type PublishTimes = Record<string, string>

export interface OutdatedRow {
  readonly name: string
  readonly current: string
  readonly latest: string
  /** The age of the installed version; undefined if the registry does not know it. */
  readonly ageDays: number | undefined
  /** Days since the newest version was published. */
  readonly behindDays: number | undefined
}

const DAY_MS = 24 * 60 * 60 * 1000

/** One row per outdated installed version, the longest outdated first. */
export function listOutdated(
  outdated: Outdated,
  times: Readonly<Record<string, PublishTimes>>,
  now: Date,
): OutdatedRow[] {
  const rows = Object.entries(outdated).flatMap(([name, found]) => {
    const daysSince = (version: string) => {
      const published = times[name]?.[version]
      return published === undefined ? undefined : Math.floor((now.getTime() - Date.parse(published)) / DAY_MS)
    }
    const all = 'latest' in found ? [found] : found
    const versions = new Map(all.map(({ current = 'not installed', latest }) => [current, latest]))
    return [...versions].map(([current, latest]) => ({
      name,
      current,
      latest,
      ageDays: daysSince(current),
      behindDays: daysSince(latest),
    }))
  })
  return rows.toSorted((one, other) => (other.behindDays ?? -1) - (one.behindDays ?? -1))
}

export function renderOutdated(rows: readonly OutdatedRow[]): string {
  if (rows.length === 0) return 'Everything is up to date.'
  const days = (count: number | undefined) => (count === undefined ? 'unknown' : `${count} days`)
  const header = ['package', 'installed', 'published', 'newest', 'available for']
  const cells = rows.map((row) => [row.name, row.current, days(row.ageDays), row.latest, days(row.behindDays)])
  const widths = header.map((_, column) => Math.max(...[header, ...cells].map((line) => line[column]?.length ?? 0)))
  return [header, ...cells]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

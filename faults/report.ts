import { median } from '../server/test/harness/median.ts'
import type { Failpoint } from '../server/src/platform/operation/failpoints.ts'
import type { Driver, Probe } from './driver.ts'
import type { JournalEntry } from './journal.ts'
import type { ConsistencyVerdict } from './judge.ts'
import type { InjectedFault } from './nemesis.ts'
import type { FaultKind, SetupName } from './setup.ts'

export interface SetupFigures {
  readonly setup: SetupName
  readonly seconds: number
  readonly faults: Readonly<Record<FaultKind, number>>
  readonly requests: number
  readonly acknowledged: number
  readonly refused: number
  readonly unknown: number
  /** The duration without acknowledged writes in each failover, in milliseconds. */
  readonly windows: readonly number[]
  /** The same for each kill of a server. */
  readonly gaps: readonly number[]
  readonly audits: number
  readonly hit: readonly Failpoint[]
  readonly answers: Readonly<Record<string, number>>
  readonly lost: number
  readonly doubled: number
  readonly half: number
  /** Violations as text; a good run has none. */
  readonly problems: readonly string[]
}

interface Ran {
  readonly setup: SetupName
  readonly seconds: number
  readonly hit: readonly Failpoint[]
  readonly happened: readonly InjectedFault[]
  readonly driver: Driver
  readonly complaints: readonly string[]
  readonly verdicts: readonly ConsistencyVerdict[]
  readonly entries: readonly JournalEntry[]
}

export function computeFigures({
  setup,
  seconds,
  hit,
  happened,
  driver,
  complaints,
  verdicts,
  entries,
}: Ran): SetupFigures {
  const count = (kind: FaultKind) => timesOf(happened, kind)
  const outcomes = (outcome: JournalEntry['outcome']) => entries.filter((entry) => entry.outcome === outcome).length
  const all = (kind: keyof ConsistencyVerdict) => [...new Set(verdicts.flatMap((verdict) => verdict[kind]))]
  const windowsOf = (kinds: readonly FaultKind[]) =>
    happened
      .filter(({ counts }) => counts.some((kind) => kinds.includes(kind)))
      .map((each) => windowOf(driver.probes, each))
  return {
    setup,
    seconds,
    faults: {
      'server kill': count('server kill'),
      'primary kill': count('primary kill'),
      failover: count('failover'),
      partition: count('partition'),
      other: count('other'),
    },
    requests: driver.requests,
    acknowledged: outcomes('ok'),
    refused: outcomes('refused'),
    unknown: outcomes('unknown'),
    windows: windowsOf(['failover', 'primary kill']),
    gaps: windowsOf(['server kill']),
    audits: verdicts.length,
    hit,
    answers: Object.fromEntries(driver.answers),
    lost: all('lost').length,
    doubled: all('doubled').length,
    half: all('half').length,
    problems: [...all('lost'), ...all('doubled'), ...all('half'), ...all('other'), ...complaints, ...driver.complaints],
  }
}

export function timesOf(happened: readonly InjectedFault[], kind: FaultKind): number {
  return happened.reduce((sum, { counts, times }) => sum + (counts.includes(kind) ? times : 0), 0)
}

/** The longest time without an acknowledged write, from just before the fault until recovery. */
function windowOf(probes: readonly Probe[], { start, end }: InjectedFault): number {
  const good = probes.filter(({ isGood }) => isGood).map((probe) => probe.end)
  const before = good.filter((time) => time <= start).reduce((last, time) => Math.max(last, time), 0) || start
  const within = good.filter((time) => time > start && time <= end).toSorted((one, two) => one - two)
  const after = good.filter((time) => time > end).reduce((first, time) => Math.min(first, time), Infinity)
  const times = [before, ...within, Number.isFinite(after) ? after : end]
  return Math.round(Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? time))))
}

/** One row per set-up, with column heads. */
export function rowsOf(figures: readonly SetupFigures[]): string[][] {
  const columns: readonly (readonly [string, (each: SetupFigures) => string | number])[] = [
    ['set-up', ({ setup }) => setup],
    ['seconds', (each) => each.seconds],
    ['server kills', ({ faults }) => faults['server kill']],
    ['primary kills', ({ faults }) => faults['primary kill']],
    ['failovers', ({ faults }) => faults.failover],
    ['partitions', ({ faults }) => faults.partition],
    ['other faults', ({ faults }) => faults.other],
    ['requests', (each) => each.requests],
    ['acknowledged', (each) => each.acknowledged],
    ['refused', (each) => each.refused],
    ['unknown', (each) => each.unknown],
    ['window median, max', ({ windows }) => shown(windows)],
    ['server gap median, max', ({ gaps }) => shown(gaps)],
    ['audits', (each) => each.audits],
    ['failpoints', ({ hit }) => hit.length],
    ['lost', (each) => each.lost],
    ['doubled', (each) => each.doubled],
    ['half', (each) => each.half],
    ['other', (each) => each.problems.length - each.lost - each.doubled - each.half],
  ]
  return columns.map(([name, value]) => [name, ...figures.map((each) => String(value(each)))])
}

function shown(windows: readonly number[]): string {
  if (windows.length === 0) return '-'
  const text = (milliseconds: number) => (milliseconds / 1000).toFixed(1)
  return `${text(median(windows))} s, ${text(Math.max(...windows))} s`
}

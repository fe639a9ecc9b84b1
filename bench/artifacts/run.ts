import { print, table } from '../../server/src/commands/print.ts'
import { SEED } from '../../server/src/commands/bench-data/chance.ts'
import { openCluster, type BenchFault } from './cluster.ts'
import type { BulkFigure } from './bulk.ts'
import { type Figure, measureOperations, type Times } from './measure.ts'
import { fingerprintOf } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { profileOperations } from './profile.ts'
import { areStatementsCurrent, captureScripts, storeStatements } from './statements.ts'

export interface ArtifactOptions extends Times {
  readonly size: number
  /** The folder that keeps the data for the next run. */
  readonly data: string
  readonly plant?: BenchFault | undefined
  /** Only these operations; empty: all. */
  readonly only: readonly string[]
  readonly profile: boolean
}

export interface ArtifactFigures {
  readonly size: number
  readonly seed: number
  readonly fingerprint: string
  readonly postgres: string
  readonly node: string
  readonly seconds: number
  /** Whether the statements of the engine are those of `bench/artifacts/statements`. */
  readonly has_current_statements: boolean
  readonly operations: readonly Figure[]
  readonly bulk: BulkFigure | null
}

/** Reads and writes of artifacts, compared with PostgreSQL alone. */
export async function measureArtifacts(options: ArtifactOptions, keeps: boolean): Promise<ArtifactFigures> {
  const { size, data, only, profile, plant, ...times } = options
  const cluster = await openCluster(size, data, plant)
  try {
    if (profile) await profileOperations(cluster, times)
    const statements = await captureScripts(cluster)
    if (keeps) await storeStatements(statements)
    const hasCurrentStatements = await areStatementsCurrent(statements)
    const { figures, bulk } = await measureOperations(cluster, statements, times, only)
    print(asTable(size, figures))
    return {
      size,
      seed: SEED,
      fingerprint: fingerprintOf(size, cluster.ids),
      postgres: cluster.postgres.version,
      node: process.version,
      seconds: times.seconds,
      has_current_statements: hasCurrentStatements,
      operations: figures,
      bulk,
    }
  } finally {
    await cluster.stop()
  }
}

function asTable(size: number, figures: readonly Figure[]): string {
  const text = (value: number | null) => (value === null ? '-' : String(value))
  const range = (spread: readonly [number, number] | null) => (spread ? `${spread[0]} to ${spread[1]}` : '-')
  return table([
    [
      `${size} artifacts`,
      'role',
      'requests/s',
      'spread',
      'p50',
      'p95',
      'p99',
      'engine/s',
      'spread',
      'main ratio',
      'row/s',
      'row ratio',
      'CPU server',
      'database',
      'per request',
      'database',
      'stable',
    ],
    ...figures.map((each) => [
      each.operation,
      each.role,
      text(each.per_second),
      range(each.spread),
      `${each.p50_ms} ms`,
      `${each.p95_ms} ms`,
      `${each.p99_ms} ms`,
      text(each.engine),
      range(each.engine_spread),
      text(each.main_ratio),
      text(each.row),
      text(each.row_ratio),
      text(each.server_cpu),
      text(each.database_cpu),
      `${text(each.server_ms)} ms`,
      `${text(each.database_ms)} ms`,
      each.is_stable ? 'yes' : 'no',
    ]),
  ])
}

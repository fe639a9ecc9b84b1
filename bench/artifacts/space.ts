import { Client } from 'pg'
import { print, table } from '../../server/src/commands/print.ts'
import { type Cluster, openCluster } from './cluster.ts'

/** A table with its parts, in bytes. */
export interface TableSpace {
  readonly name: string
  readonly rows: number
  readonly heap: number
  readonly toast: number
  readonly indexes: readonly { readonly name: string; readonly bytes: number; readonly scans: number }[]
}

export interface SpaceFigures {
  readonly size: number
  readonly bytes: number
  readonly bytes_per_artifact: number
  readonly tables: readonly TableSpace[]
}

/** Below this share of all bytes, a table or an index is not listed. */
const MIN_LISTED_SHARE = 0.002

/** The disk space of the bench data: tables, indexes, bytes per artifact. */
export async function measureSpace(options: { readonly size: number; readonly data: string }): Promise<SpaceFigures> {
  const cluster = await openCluster(options.size, options.data)
  try {
    const figures = await readSpace(cluster)
    print(asTable(figures))
    return figures
  } finally {
    await cluster.stop()
  }
}

async function readSpace({ ownerUrl, size }: Cluster): Promise<SpaceFigures> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<TableSpace>(`
      select relname as name, greatest(reltuples, 0)::double precision as rows,
        pg_relation_size(oid)::double precision as heap,
        (pg_table_size(oid) - pg_relation_size(oid))::double precision as toast,
        array(select json_build_object('name', indexrelid::regclass::text, 'bytes', pg_relation_size(indexrelid),
            'scans', pg_stat_get_numscans(indexrelid))
          from pg_index where indrelid = pg_class.oid order by pg_relation_size(indexrelid) desc) as indexes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      order by pg_total_relation_size(oid) desc`)
    const bytes = tables.reduce((sum, each) => sum + totalOf(each), 0)
    return { size, bytes, bytes_per_artifact: Math.round(bytes / size), tables }
  } finally {
    await client.end()
  }
}

function totalOf({ heap, toast, indexes }: TableSpace): number {
  return heap + toast + indexes.reduce((sum, index) => sum + index.bytes, 0)
}

function asTable({ size, bytes, bytes_per_artifact, tables }: SpaceFigures): string {
  const perArtifact = (count: number) => (count / size).toFixed(0)
  const rows = tables
    .filter((each) => totalOf(each) >= MIN_LISTED_SHARE * bytes)
    .flatMap((each) => [
      [each.name, String(each.rows), perArtifact(each.heap), perArtifact(each.toast), '', perArtifact(totalOf(each))],
      ...each.indexes
        .filter((index) => index.bytes >= MIN_LISTED_SHARE * bytes)
        .map(({ name, bytes: taken }) => [`  ${name}`, '', '', '', perArtifact(taken), '']),
    ])
  const header = ['bytes per artifact', 'rows', 'heap', 'TOAST and maps', 'index', 'sum']
  const sum = ['all', '', '', '', '', String(bytes_per_artifact)]
  return `${size} artifacts, ${(bytes / 1e6).toFixed(0)} MB\n${table([header, ...rows, sum])}`
}

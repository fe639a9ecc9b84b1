import type { Client } from 'pg'
import { copyRows } from '../../platform/database/copy.ts'
import { artifactsCounted } from '../../trackers/seed-tracker.ts'
import { generateArtifact } from './generate-artifact.ts'
import { addArtifact, COLUMNS, type Installed, noRows, TABLES } from './rows-of-artifact.ts'

/** A batch to load; bounds memory use. */
export interface Batch {
  /** The total number of artifacts. */
  readonly size: number
  readonly first: number
  readonly count: number
  /** The id of the first changeset of the batch. */
  readonly changesetId: number
  /** The number of changesets of the batch. */
  readonly changesets: number
}

/** Loads a batch by COPY. */
export async function loadBatch(client: Client, installed: Installed, batch: Batch): Promise<void> {
  const { size, first, count } = batch
  const rows = noRows()
  let { changesetId } = batch
  for (let place = first; place < first + count; place++) {
    const made = generateArtifact(place, size, installed.ids)
    addArtifact(rows, place, made, installed, changesetId)
    changesetId += made.versions.length
  }
  for (const name of TABLES) await copyRows(client, name, COLUMNS[name], rows[name])
}

/** Ids are indexes from 1, so the database must have no artifacts. */
export async function hasArtifacts(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('select from artifact limit 1')
  return rowCount !== 0
}

/** Sets sequences and counters as if the artifacts had been created one by one. */
export async function countLoaded(
  client: Client,
  { ids }: Installed,
  loaded: { artifacts: number; changesets: number },
): Promise<void> {
  await client.query(`select setval(pg_get_serial_sequence('artifact', 'id'), $1)`, [loaded.artifacts])
  await client.query(`select setval(pg_get_serial_sequence('artifact', 'rank'), $1)`, [loaded.artifacts])
  await client.query(`select setval(pg_get_serial_sequence('changeset', 'id'), $1)`, [loaded.changesets])
  await artifactsCounted(client, ids.tracker, loaded.artifacts)
}

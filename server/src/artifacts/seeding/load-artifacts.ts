import type { Client } from 'pg'
import { copyRows } from '../../platform/database/copy.ts'
import { artifactsCounted } from '../../trackers/seed-tracker.ts'
import { makeArtifact } from './make-artifact.ts'
import { addArtifact, COLUMNS, type Installed, noRows, TABLES } from './rows-of-artifact.ts'

/** Artifacts that are loaded at once: memory does not grow with their number. */
export interface Batch {
  /** Of how many in all. */
  readonly size: number
  readonly first: number
  readonly count: number
  /** Of the first changeset of the first of them. */
  readonly changesetId: number
  /** How many they have together. */
  readonly changesets: number
}

/** Loads some of the artifacts by COPY. */
export async function loadBatch(client: Client, installed: Installed, batch: Batch): Promise<void> {
  const { size, first, count } = batch
  const rows = noRows()
  let { changesetId } = batch
  for (let place = first; place < first + count; place++) {
    const made = makeArtifact(place, size, installed.ids)
    addArtifact(rows, place, made, installed, changesetId)
    changesetId += made.versions.length
  }
  for (const name of TABLES) await copyRows(client, name, COLUMNS[name], rows[name])
}

/** Ids are places, counted from 1: there is room for them in a database that has no artifacts. */
export async function hasArtifacts(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('select from artifact limit 1')
  return rowCount !== 0
}

/** Sequences and counters, as if everything had been created one by one. */
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

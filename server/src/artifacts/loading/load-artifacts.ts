import type { Client } from 'pg'
import { RANK_STEP } from '../rank/place-artifacts.ts'
import { copyRows } from '../../platform/database/copy.ts'
import { artifactsCounted } from '../../trackers/seed-tracker.ts'
import { addArtifact, COLUMNS, type LoadedArtifact, type LoadTarget, noRows, TABLES } from './artifact-rows.ts'

/** Loads artifacts with their history by COPY. Ids are consecutive; the caller knows the first ones. */
export async function loadArtifacts(
  client: Client,
  target: LoadTarget,
  first: { artifactId: number; changesetId: number },
  artifacts: Iterable<LoadedArtifact>,
): Promise<void> {
  const rows = noRows()
  let { artifactId, changesetId } = first
  for (const artifact of artifacts) {
    addArtifact(rows, artifactId++, artifact, target, changesetId)
    changesetId += artifact.versions.length
  }
  for (const name of TABLES) await copyRows(client, name, COLUMNS[name], rows[name])
}

/** Loading sets the ids itself, so the database must have no artifacts. */
export async function hasArtifacts(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('select from artifact limit 1')
  return rowCount !== 0
}

/** Copies the loaded artifacts into their summaries: triggers are off while artifacts are loaded. */
export async function summarizeLoaded(client: Client): Promise<void> {
  await client.query('insert into artifact_summary select * from artifact_to_summarize order by id')
}

/** Sets sequences and counters as if the artifacts had been created one by one. */
export async function countLoaded(
  client: Client,
  { tracker }: LoadTarget,
  loaded: { artifacts: number; changesets: number },
): Promise<void> {
  await client.query(`select setval(pg_get_serial_sequence('artifact', 'id'), $1)`, [loaded.artifacts])
  await client.query(`select setval(pg_get_serial_sequence('artifact', 'rank'), $1)`, [loaded.artifacts * RANK_STEP])
  await client.query(`select setval(pg_get_serial_sequence('changeset', 'id'), $1)`, [loaded.changesets])
  await artifactsCounted(client, tracker.id, loaded.artifacts)
}

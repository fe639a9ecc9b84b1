import type { Ids } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { print } from '../../server/src/commands/print.ts'
import { measureEngine } from '../artifacts/engine.ts'
import { deleteCreatedArtifacts } from '../artifacts/measure.ts'
import { OPEN_ID } from '../artifacts/script.ts'
import { median } from '../../server/test/harness/median.ts'
import { round, spreadOf } from '../quantiles.ts'
import type { Measuring } from './measure-question.ts'

export interface InsertingFigure {
  /** Artifacts per second, with their first version and their event. */
  readonly bare: number
  readonly bare_spread: readonly [number, number]
  /** The same including all search indexes. */
  readonly indexed: number
  readonly indexed_spread: readonly [number, number]
  /** The factor by which it is slower. */
  readonly ratio: number
}

/** The cost of the indexes on inserts, by pgbench; undefined if pgbench is not installed. */
export async function measureInserting({ cluster, times, pgbench }: Measuring): Promise<InsertingFigure | undefined> {
  if (pgbench === undefined) return undefined
  const { ids, size, postgres } = cluster
  const bound = { size: String(size) }
  const run = (parts: string) =>
    measureEngine(pgbench, postgres, { text: scriptOf(parts), bound }, Math.ceil(times.seconds))
  const rates = { bare: new Array<number>(), indexed: new Array<number>() }
  try {
    for (let turn = 0; turn < times.turns; turn++) {
      rates.bare.push(await run(''))
      rates.indexed.push(await run(indexParts(ids)))
    }
  } finally {
    await deleteCreatedArtifacts(cluster)
  }
  const figure = {
    bare: round(median(rates.bare)),
    bare_spread: spreadOf(rates.bare),
    indexed: round(median(rates.indexed)),
    indexed_spread: spreadOf(rates.indexed),
    ratio: round(median(rates.bare) / median(rates.indexed)),
  }
  print(`inserting: ${JSON.stringify(figure)}`)
  return figure
}

/** Copies an existing artifact, so that the inserted data are representative. */
function scriptOf(parts: string): string {
  return `${OPEN_ID}with after as (
  insert into artifact (project_id, tracker_id, number, field_values, people, submitted_by, submitted_on,
    last_update_by, last_modified_date, last_modified)
  select project_id, tracker_id, -nextval(pg_get_serial_sequence('artifact', 'rank')), field_values, people,
    submitted_by, now(), last_update_by, now(), date_trunc('second', now())
  from artifact where id = :id
  returning id, project_id, tracker_id, field_values, submitted_by),
history as (
  insert into changeset (project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified, changes)
  select project_id, id, tracker_id, 1, submitted_by, now(), date_trunc('second', now()), field_values from after),
told as (
  insert into event (type, object, project_id, actor_id, payload)
  select 'artifact.created', 'artifacts/' || id, project_id, submitted_by, '{}' from after)${parts}
select from after;
`
}

function indexParts({ fields }: Ids): string {
  return `,
values_added as (
  insert into value_index (project_id, field_id, value, artifact_id)
  select after.project_id, field_id, value, after.id from after, value_index where artifact_id = :id),
numbers_added as (
  insert into number_index (project_id, field_id, value, artifact_id)
  select after.project_id, field_id, value, after.id from after, number_index where artifact_id = :id),
links_added as (
  insert into artifact_link (project_id, source_id, target_id, type)
  select after.project_id, after.id, target_id, type from after, artifact_link where source_id = :id),
words_written as (
  insert into artifact_words (artifact_id, project_id, words)
  select id, project_id, words_of(field_values, array[${fields['title']}, ${fields['details']}]) from after)`
}

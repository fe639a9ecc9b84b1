import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { isWorded } from '../../server/src/artifacts/update-artifact/derived-rows.ts'
import { generateArtifact, type Installed } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { addArtifact, noRows } from '../../server/src/artifacts/loading/artifact-rows.ts'

const SAMPLE_SIZE = 200

interface Stored {
  field_values: Record<string, unknown>
  version: number
  replayed: Record<string, unknown>
  versions: number
  ids: unknown[]
  numbers: unknown[]
  links: unknown[]
  references: unknown[]
  words: string
  words_of: string
}

/**
 * Checks a sample of the loaded data: each row equals the replay of its history, and the indexes are those that the
 * server writes.
 */
export async function checkFilled(url: string, installed: Installed, size: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (let at = 0; at < SAMPLE_SIZE; at++) {
      const place = Math.floor((at * size) / SAMPLE_SIZE)
      const stored = await read(client, place + 1, installed)
      const rows = noRows()
      addArtifact(rows, place + 1, generateArtifact(place, size, installed.ids), installed, 1)
      const { field_values, replayed, ids, numbers, links, references } = stored ?? {}
      const isRight =
        isDeepStrictEqual(field_values, replayed) &&
        stored?.version === stored?.versions &&
        stored?.words === stored?.words_of &&
        isDeepStrictEqual(ids, sorted(rows.value_index.map((row) => [row[1], row[2]]))) &&
        isDeepStrictEqual(numbers, sorted(rows.number_index.map((row) => [row[1], row[2]]))) &&
        isDeepStrictEqual(links, sorted(rows.artifact_link.map((row) => [row[2], row[3]]))) &&
        isDeepStrictEqual(references, sorted(rows.artifact_reference.map((row) => [row[2], row[4]])))
      if (!isRight) throw new Error(`Artifact ${place + 1} was not loaded as the server would have written it.`)
    }
  } finally {
    await client.end()
  }
}

async function read(client: Client, id: number, { tracker }: Installed): Promise<Stored | undefined> {
  const { rows } = await client.query<Stored>(
    `select field_values, version,
       (select jsonb_object_agg(key, value order by changeset.version) from changeset, jsonb_each(changes)
        where artifact_id = artifact.id) as replayed,
       (select count(*)::integer from changeset where artifact_id = artifact.id) as versions,
       (select coalesce(jsonb_agg(jsonb_build_array(field_id, value)), '[]') from value_index
        where artifact_id = artifact.id) as ids,
       (select coalesce(jsonb_agg(jsonb_build_array(field_id, value)), '[]') from number_index
        where artifact_id = artifact.id) as numbers,
       (select coalesce(jsonb_agg(jsonb_build_array(target_id, type)), '[]') from artifact_link
        where source_id = artifact.id) as links,
       (select coalesce(jsonb_agg(jsonb_build_array(field_id, ref)), '[]') from artifact_reference
        where artifact_id = artifact.id) as "references",
       (select words from artifact_words where artifact_id = artifact.id) as words,
       words_of(field_values, $2) as words_of
     from artifact where id = $1`,
    [id, tracker.elements.filter(isWorded).map((element) => element.id)],
  )
  const [row] = rows
  return row && { ...row, ...Object.fromEntries(LISTS.map((name) => [name, sorted(row[name])])) }
}

const LISTS = ['ids', 'numbers', 'links', 'references'] as const

function sorted(list: readonly unknown[]): unknown[] {
  return list.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
}

import { Client } from 'pg'
import { effectsOf, findIn } from '../../server/src/artifacts/writing/effects.ts'
import { type CopyValue, copyRows } from '../../server/src/platform/database/copy.ts'
import { toId } from '../../server/src/platform/database/ids.ts'
import type { FieldId } from '../../server/src/trackers/tracker.ts'
import type { Installed } from './install.ts'
import { makeArtifact, type MadeArtifact } from './model.ts'

const COLUMNS = {
  artifact: [
    'id',
    'project_id',
    'tracker_id',
    'number',
    'rank',
    'version',
    'field_values',
    'people',
    'restricted_to',
    'submitted_by',
    'submitted_on',
    'last_update_by',
    'last_modified_date',
    'last_modified',
  ],
  changeset: [
    'id',
    'project_id',
    'artifact_id',
    'tracker_id',
    'version',
    'submitted_by',
    'submitted_on',
    'last_modified',
    'changes',
    'comment',
    'comment_format',
  ],
  value_index: ['project_id', 'field_id', 'value', 'artifact_id'],
  number_index: ['project_id', 'field_id', 'value', 'artifact_id'],
  artifact_link: ['project_id', 'source_id', 'target_id', 'type'],
  artifact_reference: [
    'project_id',
    'artifact_id',
    'field_id',
    'changeset_id',
    'ref',
    'keyword',
    'value',
    'of_project',
    'target_id',
  ],
} as const

type TableName = keyof typeof COLUMNS
export type Rows = Record<TableName, CopyValue[][]>

const TABLES: readonly TableName[] = [
  'artifact',
  'changeset',
  'value_index',
  'number_index',
  'artifact_link',
  'artifact_reference',
]
const BATCH = 2000

/**
 * Loads artifacts by COPY, batch by batch, so that memory does not grow with their number. Indexes and foreign keys are
 * made anew behind it.
 */
export async function fill(
  url: string,
  installed: Installed,
  size: number,
  progress: (done: number) => void,
): Promise<void> {
  const clients = new Map<TableName, Client>()
  for (const name of TABLES) {
    const client = new Client({ connectionString: url })
    await client.connect()
    clients.set(name, client)
  }
  const owner = new Client({ connectionString: url })
  await owner.connect()
  try {
    const restore = await dropIndexes(owner)
    let changesets = 0
    for (let first = 0; first < size; first += BATCH) {
      const rows: Rows = {
        artifact: [],
        changeset: [],
        value_index: [],
        number_index: [],
        artifact_link: [],
        artifact_reference: [],
      }
      for (let place = first; place < Math.min(size, first + BATCH); place++)
        changesets = addArtifact(rows, place, makeArtifact(place, size, installed.ids), installed, changesets)
      await Promise.all(clients.entries().map(([name, client]) => copyRows(client, name, COLUMNS[name], rows[name])))
      progress(Math.min(size, first + BATCH))
    }
    await owner.query(`set maintenance_work_mem = '1GB'`)
    for (const statement of restore) await owner.query(statement)
    await count(owner, installed, size, changesets)
    await owner.query('vacuum analyze')
  } finally {
    for (const client of [...clients.values(), owner]) await client.end()
  }
}

/** All rows of one artifact, as the server itself would have written them; returns the number of changesets so far. */
export function addArtifact(
  rows: Rows,
  place: number,
  made: MadeArtifact,
  { ids, tracker, referenceKinds }: Installed,
  changesets: number,
): number {
  const id = place + 1
  const { project } = ids
  const world = { tracker, referenceKinds }
  const changes = new Map(Object.entries(made.values).map(([field, value]) => [toId<FieldId>(Number(field)), value]))
  const effects = effectsOf(world, {}, changes)
  const [first, last] = [made.versions[0], made.versions.at(-1)]
  if (!first || !last) throw new Error('An artifact without a version.')
  rows.artifact.push([
    id,
    project,
    ids.tracker,
    id,
    id,
    made.versions.length,
    JSON.stringify(made.values),
    effects.people.map(String),
    effects.restricted_to?.map(String) ?? null,
    first.by,
    first.on,
    last.by,
    last.on,
    last.on,
  ])
  for (const { field, value } of effects.ids.added) rows.value_index.push([project, field, value, id])
  for (const { field, value } of effects.numbers.added) rows.number_index.push([project, field, value, id])
  for (const { target, type } of effects.links.added) rows.artifact_link.push([project, id, target, type])
  for (const each of effects.references.added)
    rows.artifact_reference.push([
      project,
      id,
      each.field,
      0,
      each.ref,
      each.keyword,
      each.value,
      each.of_project,
      each.target,
    ])
  let changeset = changesets
  for (const [index, version] of made.versions.entries()) {
    changeset++
    rows.changeset.push([
      changeset,
      project,
      id,
      ids.tracker,
      index + 1,
      version.by,
      version.on,
      version.on,
      JSON.stringify(version.changes),
      version.comment,
      version.comment === null ? null : 'commonmark',
    ])
    const referred =
      version.comment === null ? [] : findIn(world, 0, { format: 'commonmark', content: version.comment })
    for (const each of referred)
      rows.artifact_reference.push([
        project,
        id,
        0,
        changeset,
        each.ref,
        each.keyword,
        each.value,
        each.of_project,
        each.target,
      ])
  }
  return changeset
}

/** Sequences and counters, as if everything had been created one by one. */
async function count(owner: Client, { ids }: Installed, size: number, changesets: number): Promise<void> {
  await owner.query(`select setval(pg_get_serial_sequence('artifact', 'id'), $1)`, [size])
  await owner.query(`select setval(pg_get_serial_sequence('artifact', 'rank'), $1)`, [size])
  await owner.query(`select setval(pg_get_serial_sequence('changeset', 'id'), $1)`, [changesets])
  await owner.query('update tracker_counter set last_number = $1, artifacts = $1 where tracker_id = $2', [
    size,
    ids.tracker,
  ])
}

/** Returns the statements that make them anew: keys, then other indexes, then what refers to keys. */
async function dropIndexes(owner: Client): Promise<string[]> {
  const { rows: constraints } = await owner.query<{ name: string; table: string; definition: string; kind: string }>(
    `select quote_ident(conname) as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition,
       contype as kind
     from pg_constraint
     where (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1)) and contype in ('p', 'u', 'f')
     order by contype = 'f' desc`,
    [TABLES],
  )
  const { rows: indexes } = await owner.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid::regclass::text = any($1) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [TABLES],
  )
  for (const { name, table } of constraints) await owner.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await owner.query(`drop index ${name}`)
  const add = ({ name, table, definition }: (typeof constraints)[number]) =>
    `alter table ${table} add constraint ${name} ${definition}`
  return [
    ...constraints.filter(({ kind }) => kind !== 'f').map(add),
    ...indexes.map(({ definition }) => definition),
    ...constraints.filter(({ kind }) => kind === 'f').map(add),
  ]
}

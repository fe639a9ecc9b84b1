import type { Client } from 'pg'
import { copyRows } from '../platform/database/copy.ts'

/** Inserts added values of an open list; the labels get ids starting at 1. */
export async function seedOpenValues(
  client: Client,
  field: { readonly project: number; readonly tracker: number; readonly id: number },
  labels: readonly string[],
): Promise<void> {
  const rows = labels.map((label, at) => [at + 1, field.project, field.tracker, field.id, label])
  await copyRows(client, 'open_value', ['id', 'project_id', 'tracker_id', 'field_id', 'label'], rows)
  await client.query(`select setval(pg_get_serial_sequence('open_value', 'id'), $1)`, [labels.length])
}

export async function hasOpenValues(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('select from open_value limit 1')
  return rowCount !== 0
}

export async function seedLinkType(client: Client, shortname: string): Promise<void> {
  await client.query(
    `insert into link_type (shortname, forward_label, reverse_label) values ($1, 'Relates to', 'Related from')
     on conflict do nothing`,
    [shortname],
  )
}

/** Sets the counter as if this many artifacts had been created. */
export async function artifactsCounted(client: Client, tracker: number, count: number): Promise<void> {
  await client.query('update tracker_total set last_number = $1, artifacts = $1 where tracker_id = $2', [
    count,
    tracker,
  ])
}

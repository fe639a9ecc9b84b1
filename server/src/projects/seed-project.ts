import type { Client } from 'pg'
import { copyRows } from '../platform/database/copy.ts'

interface PrivateProject {
  readonly shortname: string
  readonly label: string
  /** Ids of the members. */
  readonly people: { readonly first: number; readonly count: number }
  /** Static groups: the offset of the first member among the people, and the number of members. */
  readonly groups: Readonly<Record<string, { readonly first: number; readonly count: number }>>
}

const CREATED = new Date('2021-01-01T00:00:00Z')

/** Creates a private project with members and static groups; returns its id and the group ids by name. */
export async function seedProject(
  client: Client,
  { shortname, label, people, groups }: PrivateProject,
): Promise<{ id: number; groups: Map<string, number> }> {
  const { rows } = await client.query<{ id: string }>(
    `insert into project (shortname, label, description, status, access, created_on)
     values ($1, $2, '', 'active', 'private', $3) returning id`,
    [shortname, label, CREATED],
  )
  const id = Number(rows[0]?.id)
  const members = Array.from({ length: people.count }, (_, at) => [id, people.first + at, CREATED])
  await copyRows(client, 'project_member', ['project_id', 'account_id', 'added_on'], members)
  await client.query(
    `insert into project_service (project_id, name, label, is_enabled, icon)
     select $1, name, label, is_enabled, icon from project_service where project_id = 100`,
    [id],
  )
  const made = new Map<string, number>()
  for (const [name, { first, count }] of Object.entries(groups)) {
    const { rows: added } = await client.query<{ id: string }>(
      'insert into user_group (project_id, short_name, created_on) values ($1, $2, $3) returning id',
      [id, name, CREATED],
    )
    const group = Number(added[0]?.id)
    made.set(name, group)
    const inGroup = Array.from({ length: count }, (_, at) => [id, group, people.first + first + at])
    await copyRows(client, 'user_group_member', ['project_id', 'user_group_id', 'account_id'], inGroup)
  }
  return { id, groups: made }
}

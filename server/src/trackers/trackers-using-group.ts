import { sql } from 'kysely'
import type { FindGroupUses } from '../projects/groups/delete-user-group.ts'
import type { Structure } from './tracker.ts'

/** Trackers, also deleted ones, whose definition names the group. */
export const trackersUsingGroup: FindGroupUses = async (tx, { id: group, project_id }) => {
  const { rows } = await sql<{ id: number; label: string; structure: Structure }>`
    select tracker.id, tracker.label, tracker.structure from tracker
    where tracker.project_id = ${project_id} order by tracker.id`.execute(tx)
  return rows
    .filter(({ structure }) => groupsIn(structure).has(group))
    .map(({ id, label }) => ({ type: 'tracker', id, label }))
}

function groupsIn({ grants, elements, workflow }: Structure): Set<number> {
  return new Set([
    ...Object.values(grants).flat(),
    ...(workflow?.transitions.flatMap(({ groups }) => groups) ?? []),
    ...elements.flatMap(({ rights, bind }) => [
      ...(rights ? [...rights.read, ...rights.submit, ...rights.update] : []),
      ...(bind?.type === 'users' ? bind.sources.filter((source) => typeof source === 'number') : []),
      ...(bind?.type === 'ugroups' ? bind.values.map((value) => value.group) : []),
    ]),
  ])
}

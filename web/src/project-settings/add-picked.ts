import { api } from '../api.ts'
import { refusalText } from '../design/refusal.tsx'
import { text } from '../projects/messages.ts'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { changePeople, groupPeopleQuery } from './people-queries.ts'
import type { PersonChoice } from './use-person-choices.tsx'

/** Adds the picked people to a group and sends the invitations. Returns a text if some could not be added. */
export async function addPicked(
  project: number,
  group: string,
  picked: readonly PersonChoice[],
): Promise<string | undefined> {
  const emails = picked.flatMap(({ what }) => (what.kind === 'address' ? what.email : []))
  const refused = emails.length === 0 ? undefined : await invite(project, emails)
  const ids = await peopleIn(project, group, picked)
  const isDone =
    ids.length === 0 ||
    (await changePeople(
      project,
      group,
      { add: ids },
      { done: text('people.added', { count: ids.length }), undo: { remove: ids } },
    ))
  return refused ?? (isDone ? undefined : text('people.not_added'))
}

/** The ids of picked people, and of everyone in picked groups, who are not in the group yet. */
async function peopleIn(project: number, group: string, picked: readonly PersonChoice[]): Promise<number[]> {
  const present = new Set((await queryClient.fetchQuery(groupPeopleQuery(project, group))).map(({ id }) => id))
  const ids = new Set<number>()
  for (const { what } of picked) {
    if (what.kind === 'person') ids.add(what.id)
    if (what.kind !== 'group') continue
    for (const { id } of await queryClient.fetchQuery(groupPeopleQuery(project, what.id))) if (id !== null) ids.add(id)
  }
  return [...ids].filter((id) => !present.has(id))
}

async function invite(project: number, emails: readonly string[]): Promise<string | undefined> {
  const answer = await api.call('POST /invitations', { body: { emails: [...emails], project_id: project } })
  if (!answer.ok) return refusalText(answer)
  const { failures, already_project_members: already } = answer.body
  const sent = emails.filter((email) => !failures.includes(email) && !already.includes(email))
  if (sent.length > 0) showToast(text('people.invited', { count: sent.length }))
  await queryClient.invalidateQueries({ queryKey: ['projects', project] })
  return failures.length === 0 ? undefined : text('people.invite_failed', { emails: failures.join(', ') })
}

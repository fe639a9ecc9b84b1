import { queryOptions } from '@tanstack/react-query'
import type { Failure } from '@waypost/sdk/answer'
import { api, read } from '../api.ts'
import { refusalText } from '../design/refusal.tsx'
import { isJsonRecord, jsonObjects, jsonText } from '../json.ts'
import { queryClient } from '../query-client.ts'
import { isText, text } from './messages.ts'

const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['user_groups', id],
    staleTime: 300_000,
    queryFn: () => read(api.call('GET /user_groups/{id}', { path: { id } })),
  })

/** One text with the rule, the allowed values and the groups that may do it. */
export async function explainRefusal(failure: Failure): Promise<string> {
  const { details } = failure
  const causes = [details, ...(details.all ?? [])]
  const allowed = jsonObjects(causes.find((each) => jsonObjects(each.allowed).length > 0)?.allowed)
  const who = causes.find((each) => each.who_may !== undefined)?.who_may ?? []
  const names = (await Promise.all(who.map(nameOf))).filter((name) => name !== '')
  return [
    refusalText(failure),
    ...(allowed.length > 0
      ? [text('step.allowed', { values: allowed.map(({ label }) => jsonText(label)).join(', ') })]
      : []),
    ...(names.length > 0 ? [text('step.who_may', { names: names.join(', ') })] : []),
  ].join(' ')
}

/** True if a comment would allow the step. */
export function wantsComment({ details }: Failure): boolean {
  const causes = details.all && details.all.length > 0 ? details.all : [details]
  return causes.every(({ cause }) => cause === 'comment_required')
}

/** A role, or the name of a group if the viewer may see it. */
async function nameOf(who: unknown): Promise<string> {
  if (!isJsonRecord(who)) {
    const role = `who.${jsonText(who)}`
    return isText(role) ? text(role) : jsonText(who)
  }
  try {
    return (await queryClient.fetchQuery(groupQuery(jsonText(who['user_group'])))).label
  } catch {
    return text('who.user_group')
  }
}

import { queryOptions } from '@tanstack/react-query'
import type { Failure } from '@waypost/sdk/answer'
import { api, read } from '../api.ts'
import { isRecord, recordsIn, textIn } from '../artifacts/loose.ts'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { isText, text } from './words.ts'

const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['user_groups', id],
    staleTime: 300_000,
    queryFn: () => read(api.call('GET /user_groups/{id}', { path: { id } })),
  })

/** Which rule, which values are allowed, and who may: in one text. */
export async function explainRefusal(failure: Failure): Promise<string> {
  const { details } = failure
  const told = [details, ...(details.all ?? [])]
  const allowed = recordsIn(told.find((each) => recordsIn(each.allowed).length > 0)?.allowed)
  const who = told.find((each) => each.who_may !== undefined)?.who_may ?? []
  const names = (await Promise.all(who.map(nameOf))).filter((name) => name !== '')
  return [
    refusalText(failure),
    ...(allowed.length > 0
      ? [text('board.allowed', { values: allowed.map(({ label }) => textIn(label)).join(', ') })]
      : []),
    ...(names.length > 0 ? [text('board.who_may', { names: names.join(', ') })] : []),
  ].join(' ')
}

/** Whether the step is free for those who say why. */
export function wantsComment({ details }: Failure): boolean {
  const told = details.all && details.all.length > 0 ? details.all : [details]
  return told.every(({ cause }) => cause === 'comment_required')
}

/** A role, or a group by its name, for those who may know it. */
async function nameOf(who: unknown): Promise<string> {
  if (!isRecord(who)) {
    const role = `who.${textIn(who)}`
    return isText(role) ? text(role) : textIn(who)
  }
  try {
    return (await queryClient.fetchQuery(groupQuery(textIn(who['user_group'])))).label
  } catch {
    return text('who.user_group')
  }
}

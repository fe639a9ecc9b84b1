import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { queryClient } from '../../query-client.ts'
import { foundArtifactsQuery } from '../link-queries.ts'
import { peopleQuery } from '../people-query.ts'

/** At least as many letters as the search of people needs. */
const PERSON = /(?<![\w@.])@[\w.-]{3,}$/
const ARTIFACT = /(?<![\w#])#[\p{L}\d]{2,}$/u

/** Completes people after @ and artifacts after #. */
export async function offerReferences(context: CompletionContext): Promise<CompletionResult | null> {
  const person = context.matchBefore(PERSON)
  if (person) return people(person)
  const artifact = context.matchBefore(ARTIFACT)
  return artifact && artifacts(artifact)
}

type Typed = NonNullable<ReturnType<CompletionContext['matchBefore']>>

async function people({ from, text }: Typed): Promise<CompletionResult> {
  const found = await queryClient.fetchQuery(peopleQuery(text.slice(1))).catch(() => [])
  const options = found.map(({ username, real_name }) => ({ label: `@${username}`, detail: real_name ?? '' }))
  return { from, options, filter: false }
}

async function artifacts({ from, text }: Typed): Promise<CompletionResult> {
  const found = await queryClient.fetchQuery(foundArtifactsQuery(text.slice(1))).catch(() => [])
  const options = found.map(({ xref, title }) => ({ label: xref, detail: title }))
  return { from, options, filter: false }
}

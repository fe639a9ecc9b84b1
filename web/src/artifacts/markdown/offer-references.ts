import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { api, read } from '../../api.ts'
import { containsWords } from '../../design/fold-text.ts'
import { recentlySeenQuery } from '../../personal-lists/personal-lists.ts'
import { queryClient } from '../../query-client.ts'

const PERSON = /(?<![\w@.])@[\p{L}\d_.-]+$/u
/** An id, or up to four words; not a heading, which has a space behind the #. */
const ARTIFACT = /(?<![\w#])#(?:\d+|[\p{L}\d-]*\p{L}[\p{L}\d-]*(?: [\p{L}\d-]+){0,3})$/u
const STALE_MS = 30_000
const MAX_OFFERED = 10

/** Completes people after @ and artifacts after #, from the first letter. Members of the project come first. */
export async function offerReferences(
  context: CompletionContext,
  project: number | undefined,
): Promise<CompletionResult | null> {
  const person = context.matchBefore(PERSON)
  if (person) return offerPeople(person, project)
  const artifact = context.matchBefore(ARTIFACT)
  return artifact && offerArtifacts(artifact)
}

type Typed = NonNullable<ReturnType<CompletionContext['matchBefore']>>

async function offerPeople({ from, text }: Typed, project: number | undefined): Promise<CompletionResult> {
  const { people } = await find('people', text.slice(1), project)
  const options = people.map(({ username, real_name }) => ({ label: `@${username}`, detail: real_name ?? '' }))
  return { from, options, filter: false }
}

/** Artifacts that the viewer has seen last come first. */
async function offerArtifacts({ from, text }: Typed): Promise<CompletionResult> {
  const typed = text.slice(1)
  const [{ artifacts }, recent] = await Promise.all([
    find('artifacts', typed, undefined),
    queryClient.fetchQuery(recentlySeenQuery).catch(() => []),
  ])
  const seen = recent.flatMap(({ kind, xref, label }) =>
    kind === 'artifact' && xref !== null && containsWords(`${xref} ${label}`, typed) ? [{ xref, title: label }] : [],
  )
  const others = artifacts.filter(({ xref }) => !seen.some((each) => each.xref === xref))
  const options = [...seen, ...others].map(({ xref, title }) => ({ label: xref, detail: title ?? '' }))
  return { from, options: options.slice(0, MAX_OFFERED), filter: false }
}

const NOTHING_FOUND = { people: [], artifacts: [] }

async function find(only: 'people' | 'artifacts', query: string, project: number | undefined) {
  const given = { query, only, limit: MAX_OFFERED, ...(project !== undefined && { project }) }
  const search = {
    queryKey: ['search', 'references', only, query, project ?? 0],
    staleTime: STALE_MS,
    queryFn: () => read(api.call('GET /search', { query: given })),
  }
  return queryClient.fetchQuery(search).catch(() => NOTHING_FOUND)
}

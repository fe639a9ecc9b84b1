import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Change, Changeset, Tracker, TrackerField } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { ShowChange, sourceOf } from '../artifacts/timeline/show-change.tsx'
import { StatusProvider } from '../field-types/status.tsx'
import { toValue } from '../field-types/values.ts'
import styles from './activity.module.css'
import { text } from './messages.ts'
import { useDefinitions } from './tracker-health.ts'

/** The last version of an artifact, which the entry of the activity at this time names. */
const versionQuery = (id: number, at: string) =>
  queryOptions({
    queryKey: ['artifacts', id, 'changesets', 'last', at],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const query = { order: 'desc', diff: true, limit: 1 } as const
      const [version] = await read(api.call('GET /artifacts/{id}/changesets', { path: { id }, query }))
      return version ?? null
    },
  })

export function useActivityVersion(artifact: number, at: string) {
  const { data } = useQuery(versionQuery(artifact, at))
  return data ?? undefined
}

interface Props {
  readonly project: number
  readonly artifact: number
  readonly at: string
}

/** From which value to which other one a field was changed, or the begin of the comment; a line high in any case. */
export function ActivityChange({ project, artifact, at }: Props) {
  const version = useActivityVersion(artifact, at)
  const definitions = useDefinitions(project)
  const isChange = version !== undefined && version.version > 1
  return <div className={styles['change']}>{isChange && <Shown version={version} definitions={definitions} />}</div>
}

interface ShownProps {
  readonly version: Pick<Changeset, 'changes' | 'last_comment'>
  readonly definitions: readonly Tracker[]
}

function Shown({ version: { changes = [], last_comment }, definitions }: ShownProps) {
  const known = changes.flatMap((change) => findField(definitions, change) ?? [])
  const [first] = known.toSorted((one, other) => rank(one) - rank(other))
  if (first === undefined) return last_comment.body === '' ? null : <q>{plainText(last_comment.post_processed_body)}</q>
  return (
    <>
      <OneChange {...first} />
      {known.length > 1 && <span>{text('members.more', { count: known.length - 1 })}</span>}
    </>
  )
}

/** DOMParser runs no scripts and loads no resources. */
function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
}

interface KnownChange {
  readonly change: Change
  readonly field: TrackerField
  readonly tracker: Tracker
}

function OneChange({ change, field, tracker }: KnownChange) {
  // A comparison of texts by words takes several lines.
  if (isText({ change, field, tracker })) return text('activity.field', { field: field.label })
  return (
    <StatusProvider tracker={tracker}>
      <ShowChange change={change} field={field} />
    </StatusProvider>
  )
}

function isText({ change, field }: KnownChange): boolean {
  return [change.before, change.after].some((value) => (sourceOf(toValue(field, value)) ?? '') !== '')
}

/** The status says most, texts least. */
function rank(known: KnownChange): number {
  if (known.tracker.semantics.status?.field_id === known.field.field_id) return 0
  return isText(known) ? 2 : 1
}

function findField(definitions: readonly Tracker[], change: Change): KnownChange | undefined {
  for (const tracker of definitions) {
    const field = tracker.fields.find(({ field_id }) => field_id === change.field_id)
    if (field) return { change, field, tracker }
  }
  return undefined
}

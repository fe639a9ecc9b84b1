import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { SelectField } from '../design/field.tsx'
import { text } from './messages.ts'

const NOTHING = -1

const responsesQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'canned_responses'],
    staleTime: 60_000,
    queryFn: () =>
      Array.fromAsync(
        api.list('GET /trackers/{id}/canned_responses', { path: { id: tracker }, query: { limit: 1000 } }),
      ),
  })

interface Props {
  readonly tracker: number
  readonly onChoose: (body: string) => void
}

/** Offers the prepared comments of the tracker; renders nothing if it has none. */
export function CannedResponses({ tracker, onChoose }: Props) {
  const { data: responses = [] } = useQuery(responsesQuery(tracker))
  if (responses.length === 0) return null
  return (
    <SelectField
      label={text('comment.canned')}
      isBare
      value={NOTHING}
      options={[
        { value: NOTHING, label: text('comment.canned') },
        ...responses.map(({ title }, at) => ({ value: at, label: title })),
      ]}
      onChange={(at) => {
        const chosen = responses[at]
        if (chosen) onChoose(chosen.body)
      }}
    />
  )
}

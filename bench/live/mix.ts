import { COMPONENTS, SEVERITIES, STATUSES } from '../../server/src/commands/bench-data/bench-tracker.ts'

/** The limit of open streams per account. */
export const STREAMS_PER_ACCOUNT = 8

const label = (key: string | undefined) => (key ? key.charAt(0).toUpperCase() + key.slice(1) : '')

/**
 * The eight live queries of one person, as a board, a list, an inbox and a report use them. Each person has other
 * values, so nearly all queries differ; they use eight orders: by common columns, a number, a text, a date and a list.
 */
export function queriesOf(place: number): readonly string[] {
  const [status, severity] = [label(STATUSES[place % 3]), label(SEVERITIES[place % 5])]
  const component = label(COMPONENTS[place % COMPONENTS.length])
  return [
    parameters('', { order: 'desc', limit: String(50 + place) }),
    parameters(`@status = OPEN() AND severity = "${severity}" ORDER BY @last_update_date DESC`),
    parameters('assigned_to = MYSELF() ORDER BY due', { fields: 'title,status,values.due' }),
    parameters(`status = "${status}" AND points > ${place % 7} ORDER BY points DESC, title`),
    parameters(`component = "${component}" ORDER BY title`, { limit: '50' }),
    parameters(`kind IN ("Defect", "Risk") AND points >= ${place % 8} ORDER BY due DESC`, {
      fields: 'title,status,values.points,values.due',
      limit: String(20 + place),
    }),
    parameters(`severity = "${severity}" AND component != "${component}" ORDER BY status, @id DESC`),
    parameters(`IS LINKED FROM WHERE (status = "${status}" AND points > ${place % 5}) ORDER BY @id DESC`, {
      limit: '30',
    }),
  ]
}

function parameters(expert_query: string, more: Record<string, string> = {}): string {
  return new URLSearchParams({ expert_query, fields: 'title,status', ...more }).toString()
}

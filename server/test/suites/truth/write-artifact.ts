import type { OracleComment, OracleGroup, OracleLink, OracleTracker, OracleValue } from './model.ts'

/** The content of one write; an undefined value clears the field. */
export interface ArtifactWrite {
  readonly values: Readonly<Record<string, OracleValue | undefined>>
  readonly links?: readonly OracleLink[]
  readonly restricted_to?: readonly OracleGroup[]
  readonly isUnrestricted?: boolean
  readonly comment?: OracleComment
}

interface Groups {
  readonly project: number
  readonly leads: number
}

const FORMATS = ['text', 'html', 'commonmark'] as const

/** A line of a bulk write; without an id it creates an artifact. */
export function toBulkLine(groups: Groups, { fields }: OracleTracker, written: ArtifactWrite, id?: number): object {
  const { values, links, restricted_to, isUnrestricted, comment } = written
  const values_by_field: Record<string, object> = {}
  for (const { name, type, isMultiple, kind } of fields) {
    if (name in values) values_by_field[name] = itemOf(values[name], type, isMultiple)
    if (kind === 'links' && links)
      values_by_field[name] = { links: links.map(({ to, type: its }) => ({ id: to, type: its })) }
    if (kind === 'perm' && restricted_to) {
      const granted_groups = restricted_to.map((group) => groupId(groups, group))
      values_by_field[name] = { value: { is_used_by_default: true, granted_groups } }
    }
    if (kind === 'perm' && isUnrestricted) values_by_field[name] = { value: { is_used_by_default: false } }
  }
  return {
    ...(id === undefined ? { op: 'create' } : { op: 'update', id }),
    values_by_field,
    ...(comment && { comment: commentOf(groups, comment) }),
  }
}

function itemOf(value: OracleValue | undefined, type: string, isMultiple: boolean): object {
  if (!value) return ['sb', 'rb', 'msb', 'cb', 'tbl'].includes(type) ? { bind_value_ids: [] } : { value: '' }
  if (value.kind === 'text') return { value: value.text, ...(type === 'text' && { format: formatOf(value.text) }) }
  if (value.kind === 'number') return { value: value.number }
  if (value.kind === 'day') return { value: value.day }
  if (value.kind === 'instant') return { value: new Date(value.at).toISOString() }
  return { value: isMultiple ? value.labels : value.labels[0] }
}

/** The same text always has the same format, so a field changes only if its text does. */
function formatOf(text: string): string {
  return FORMATS[text.length % FORMATS.length] ?? 'text'
}

function commentOf(groups: Groups, { text, groups: readers }: OracleComment): object {
  const ugroups = readers?.map((group) => groupId(groups, group))
  return { body: text, format: formatOf(text), ...(ugroups && { ugroups }) }
}

export function groupId({ project, leads }: Groups, group: OracleGroup): string {
  const numbers = { '@anonymous': 1, '@registered': 2, '@members': 3, '@admins': 4 } as const
  return group === 'leads' ? String(leads) : `${project}_${numbers[group]}`
}

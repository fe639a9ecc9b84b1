import type { Comment, Group, Link, Tracker, Value } from './model.ts'

/** What one write says; a value that is undefined is taken away. */
export interface Written {
  readonly values: Readonly<Record<string, Value | undefined>>
  readonly links?: readonly Link[]
  readonly restricted_to?: readonly Group[]
  readonly isUnrestricted?: boolean
  readonly comment?: Comment
}

interface Groups {
  readonly project: number
  readonly leads: number
}

const FORMATS = ['text', 'html', 'commonmark'] as const

/** A line of a bulk write; without an id it makes a new artifact. */
export function lineOf(groups: Groups, { fields }: Tracker, written: Written, id?: number): object {
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

function itemOf(value: Value | undefined, type: string, isMultiple: boolean): object {
  if (!value) return ['sb', 'rb', 'msb', 'cb', 'tbl'].includes(type) ? { bind_value_ids: [] } : { value: '' }
  if (value.kind === 'text') return { value: value.text, ...(type === 'text' && { format: formatOf(value.text) }) }
  if (value.kind === 'number') return { value: value.number }
  if (value.kind === 'day') return { value: value.day }
  if (value.kind === 'instant') return { value: new Date(value.at).toISOString() }
  return { value: isMultiple ? value.labels : value.labels[0] }
}

/** The same text always has the same format: it is changed when and only when it reads otherwise. */
function formatOf(text: string): string {
  return FORMATS[text.length % FORMATS.length] ?? 'text'
}

function commentOf(groups: Groups, { text, groups: readers }: Comment): object {
  const ugroups = readers?.map((group) => groupId(groups, group))
  return { body: text, format: formatOf(text), ...(ugroups && { ugroups }) }
}

export function groupId({ project, leads }: Groups, group: Group): string {
  const numbers = { '@anonymous': 1, '@registered': 2, '@members': 3, '@admins': 4 } as const
  return group === 'leads' ? String(leads) : `${project}_${numbers[group]}`
}

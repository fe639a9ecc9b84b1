/** The filters of the lists, as the address holds them. */
export const PROJECT_STATUSES = ['active', 'pending', 'suspended', 'deleted'] as const
export const JOB_STATE_FILTERS = ['parked', 'retrying', 'waiting', 'running', 'done'] as const
export const TRASH_TYPE_FILTERS = ['artifact', 'tracker', 'repository', 'project'] as const
export const ARCHIVE_STATE_FILTERS = ['written', 'waiting', 'failed', 'restored', 'expired'] as const

/** Parses a parameter with a fixed set of values; other values are ignored. */
export function parseOneOf<V extends string>(name: string, values: readonly V[], given: unknown) {
  const value = values.find((each) => each === given)
  return value === undefined ? {} : { [name]: value }
}

/** The filters of the audit log. */
export interface AuditSearch {
  readonly actor?: string
  readonly action?: string
  readonly object?: string
  readonly project?: string
  readonly address?: string
  readonly from?: string
  readonly to?: string
  readonly outcome?: 'refused'
}

export const AUDIT_TEXT_FILTERS = ['actor', 'action', 'object', 'project', 'address'] as const

export function parseAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const given = [...AUDIT_TEXT_FILTERS, 'from', 'to'].flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : []
  })
  return { ...Object.fromEntries(given), ...(search['outcome'] === 'refused' && { outcome: 'refused' }) }
}

/** What the lists can be narrowed by, as it stands in the address. */
export const PROJECT_STATUSES = ['active', 'pending', 'suspended', 'deleted'] as const
export const JOB_STATES = ['parked', 'retrying', 'waiting', 'running', 'done'] as const
export const TRASH_TYPES = ['artifact', 'tracker', 'repository', 'project'] as const
export const ARCHIVE_STATES = ['written', 'waiting', 'failed', 'restored', 'expired'] as const

/** A parameter that has one of few values; what else stands there is not looked at. */
export function oneOf<V extends string>(name: string, values: readonly V[], given: unknown) {
  const value = values.find((each) => each === given)
  return value === undefined ? {} : { [name]: value }
}

/** What the audit log can be narrowed by. */
export interface AuditFilter {
  readonly actor?: string
  readonly action?: string
  readonly object?: string
  readonly project?: string
  readonly address?: string
  readonly from?: string
  readonly to?: string
  readonly outcome?: 'refused'
}

export const AUDIT_WORDS = ['actor', 'action', 'object', 'project', 'address'] as const

export function readAuditFilter(search: Readonly<Record<string, unknown>>): AuditFilter {
  const given = [...AUDIT_WORDS, 'from', 'to'].flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : []
  })
  return { ...Object.fromEntries(given), ...(search['outcome'] === 'refused' && { outcome: 'refused' }) }
}

/** The periods that can be chosen, in days, as the server counts them. */
export const CHANGED_DAYS = [1, 7, 30, 365] as const

/** Kinds besides artifacts, which have no facets. */
export const OTHER_KINDS = ['files', 'commits'] as const
export type OtherKind = (typeof OTHER_KINDS)[number]

/** The state of the search page, as it stands in the address. */
export interface SearchAddress {
  readonly q?: string
  /** Absent: artifacts. */
  readonly kind?: OtherKind
  readonly project?: number
  readonly tracker?: number
  readonly status?: 'open' | 'closed'
  /** 0: without an assignee. */
  readonly assignee?: number
  readonly changed?: (typeof CHANGED_DAYS)[number]
  /** Absent: by relevance. */
  readonly sort?: 'newest'
}

/** Anything else in the address is ignored. */
export function readSearchAddress(search: Record<string, unknown>): SearchAddress {
  const { q, kind, project, tracker, status, assignee, changed, sort } = search
  const other = OTHER_KINDS.find((each) => each === kind)
  const days = CHANGED_DAYS.find((each) => each === changed)
  return {
    // The router parses `105` and `true` as values; they were typed as words.
    ...(['string', 'number', 'boolean'].includes(typeof q) && String(q) !== '' && { q: String(q) }),
    ...(other !== undefined && { kind: other }),
    ...(isId(project) && { project }),
    ...(isId(tracker) && { tracker }),
    ...((status === 'open' || status === 'closed') && { status }),
    ...(isId(assignee) && { assignee }),
    ...(days !== undefined && { changed: days }),
    ...(sort === 'newest' && { sort }),
  }
}

/** The parameters of `GET /search/artifacts`. */
export function toSearchParameters({ q = '', project, tracker, status, assignee, changed, sort }: SearchAddress) {
  return {
    query: q,
    ...(project !== undefined && { project }),
    ...(tracker !== undefined && { tracker }),
    ...(status !== undefined && { is_open: status === 'open' }),
    ...(assignee !== undefined && { assignee }),
    ...(changed !== undefined && { changed_within: changed }),
    ...(sort !== undefined && { sort }),
  }
}

/** The same words without filters. */
export function withoutFilters({ q, kind, sort }: SearchAddress): SearchAddress {
  return { ...(q !== undefined && { q }), ...(kind !== undefined && { kind }), ...(sort !== undefined && { sort }) }
}

export function withSort(address: SearchAddress, sort: SearchAddress['sort']): SearchAddress {
  const { sort: _, ...rest } = address
  return sort === undefined ? rest : { ...rest, sort }
}

/** The address with the filter, or without it if it has it. */
export function toggleFilter(address: SearchAddress, filter: SearchAddress): SearchAddress {
  const members = new Map<string, unknown>(Object.entries(address))
  const isOn = Object.entries(filter).every(([name, value]) => members.get(name) === value)
  if (!isOn) return { ...address, ...filter }
  for (const name of Object.keys(filter)) members.delete(name)
  return readSearchAddress(Object.fromEntries(members))
}

export function countFilters(address: SearchAddress): number {
  return Object.keys(address).length - Object.keys(withoutFilters(address)).length
}

/** The same search for another kind; only the project limits all of them. */
export function withKind(address: SearchAddress, kind: OtherKind | undefined): SearchAddress {
  const { q, project, kind: _, ...filters } = address
  const common = { ...(q !== undefined && { q }), ...(project !== undefined && { project }) }
  return kind === undefined ? { ...common, ...filters } : { ...common, kind }
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

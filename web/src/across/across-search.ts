/** The state of the report is in the address, so that a shared link shows the same. */
export interface AcrossSearch {
  /** The short name of a project; absent: all projects of the viewer. */
  readonly project?: string | undefined
  /** Item names of trackers, separated by commas; absent: all. */
  readonly trackers?: string | undefined
  /** Absent: open artifacts. */
  readonly show?: Exclude<AcrossShow, 'open'> | undefined
  /** A condition of the query language. */
  readonly where?: string | undefined
  /** Names of columns, separated by commas. */
  readonly columns?: string | undefined
  readonly order?: Exclude<AcrossOrder, 'changed'> | undefined
}

export const ACROSS_SHOWS = ['open', 'mine', 'all'] as const
export type AcrossShow = (typeof ACROSS_SHOWS)[number]

export const ACROSS_ORDERS = ['changed', 'created', 'title'] as const
export type AcrossOrder = (typeof ACROSS_ORDERS)[number]

/** Columns that artifacts of all trackers have. */
export const ACROSS_COLUMNS = [
  '@pretty_title',
  '@status',
  '@assigned_to',
  '@last_update_date',
  '@project.name',
  '@tracker.name',
  '@submitted_by',
  '@submitted_on',
  '@last_update_by',
  '@description',
] as const

export const USUAL_COLUMNS: readonly string[] = ACROSS_COLUMNS.slice(0, 5)

export function readAcrossSearch(given: Readonly<Record<string, unknown>>): AcrossSearch {
  const show = ACROSS_SHOWS.find((each) => each === given['show'])
  const order = ACROSS_ORDERS.find((each) => each === given['order'])
  return {
    ...readText('project', given['project']),
    ...readText('trackers', given['trackers']),
    ...(show && show !== 'open' && { show }),
    ...readText('where', given['where']),
    ...readText('columns', given['columns']),
    ...(order && order !== 'changed' && { order }),
  }
}

function readText<Name extends string>(name: Name, given: unknown): Partial<Record<Name, string>> {
  const text = typeof given === 'number' ? String(given) : given
  const found: Partial<Record<Name, string>> = {}
  if (typeof text === 'string' && text !== '') found[name] = text
  return found
}

export function namesIn(list: string | undefined): readonly string[] {
  return (list ?? '').split(',').filter((name) => name !== '')
}

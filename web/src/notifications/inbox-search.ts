export const INBOX_FILTERS = ['all', 'unread', 'mentions', 'assigned', 'watched', 'snoozed'] as const
export type InboxFilter = (typeof INBOX_FILTERS)[number]

/** The filters of the inbox are in the address. */
export interface InboxSearch {
  readonly show?: Exclude<InboxFilter, 'all'>
  /** The id of a project. */
  readonly project?: number
}

export function readInboxSearch({ show, project }: Readonly<Record<string, unknown>>): InboxSearch {
  const filter = INBOX_FILTERS.find((each) => each === show)
  const id = Number(project)
  return {
    ...(filter && filter !== 'all' && { show: filter }),
    ...(Number.isSafeInteger(id) && id > 0 && { project: id }),
  }
}

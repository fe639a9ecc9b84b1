/** The parts of an entry of the activity that decide whether it continues the one before. */
interface Entry {
  readonly html_message: string
  readonly user: { readonly id: number | null } | null
}

/** A message around the name of its object. */
export interface ActivityMessage {
  readonly before: string
  readonly link: { readonly href: string; readonly name: string } | null
  readonly after: string
}

export interface MergedActivity<T extends Entry> {
  readonly entry: T
  readonly message: ActivityMessage
  /** The number of older entries in which the same person did the same to other people. */
  readonly others: number
}

/** Consecutive entries of one person that differ only in the person they name become one. Newest first. */
export function mergeActivity<T extends Entry>(
  entries: readonly T[],
  parse: (html: string) => ActivityMessage,
): readonly MergedActivity<T>[] {
  const merged: MergedActivity<T>[] = []
  for (const entry of entries) {
    const message = parse(entry.html_message)
    const last = merged.at(-1)
    if (last && isSame(last, entry, message)) merged[merged.length - 1] = { ...last, others: last.others + 1 }
    else merged.push({ entry, message, others: 0 })
  }
  return merged
}

function isSame({ entry, message }: MergedActivity<Entry>, next: Entry, { before, link, after }: ActivityMessage) {
  const isAboutPeople = link?.href.startsWith('/users/') && message.link?.href.startsWith('/users/')
  const isOneActor = entry.user !== null && entry.user.id === next.user?.id
  return isAboutPeople && isOneActor && message.before === before && message.after === after
}

/** The help pages, by their address. */
export const HELP_TOPICS = ['search', 'keys', 'queries', 'workflow'] as const
export type HelpTopicName = (typeof HELP_TOPICS)[number]

/** Text between backticks is shown as code. */
export interface HelpTopic {
  readonly title: string
  readonly lead: string
  readonly sections: readonly HelpSection[]
}

interface HelpSection {
  readonly title: string
  readonly text?: string
  readonly rows?: readonly HelpRow[]
}

export interface HelpRow {
  /** As it is typed. */
  readonly code: string
  readonly meaning: string
  /** A test runs it: a query on a tracker of the template Bugs, or a search. */
  readonly runs?: 'query' | 'search'
}

export type HelpContents = Readonly<Record<HelpTopicName, HelpTopic>>

export function isHelpTopic(name: string): name is HelpTopicName {
  return HELP_TOPICS.some((each) => each === name)
}

import { GERMAN_KEYS_HELP } from './german/keys.ts'
import { GERMAN_QUERIES_HELP } from './german/queries.ts'
import { GERMAN_SEARCH_HELP } from './german/search.ts'
import { GERMAN_WORKFLOW_HELP } from './german/workflow.ts'
import type { HelpContents } from './help-topic.ts'

export const GERMAN_HELP: HelpContents = {
  search: GERMAN_SEARCH_HELP,
  keys: GERMAN_KEYS_HELP,
  queries: GERMAN_QUERIES_HELP,
  workflow: GERMAN_WORKFLOW_HELP,
}

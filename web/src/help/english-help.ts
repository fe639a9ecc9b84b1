import { KEYS_HELP } from './english/keys.ts'
import { QUERIES_HELP } from './english/queries.ts'
import { SEARCH_HELP } from './english/search.ts'
import { WORKFLOW_HELP } from './english/workflow.ts'
import type { HelpContents } from './help-topic.ts'

export const ENGLISH_HELP: HelpContents = {
  search: SEARCH_HELP,
  keys: KEYS_HELP,
  queries: QUERIES_HELP,
  workflow: WORKFLOW_HELP,
}

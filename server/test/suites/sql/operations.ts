import { ARTIFACT_OPERATIONS } from './artifact-operations.ts'
import { SEARCH_OPERATIONS } from './search-operations.ts'
import { SIGN_IN_OPERATIONS } from './sign-in-operations.ts'
import { FILE_OPERATIONS } from './file-operations.ts'
import { FEED_OPERATIONS } from './feed-operations.ts'
import type { SqlOperation } from './sql-operation.ts'

/** Every page of `docs/sql`. */
export const SQL_OPERATIONS: readonly SqlOperation[] = [
  ...ARTIFACT_OPERATIONS,
  ...SEARCH_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...FILE_OPERATIONS,
  ...FEED_OPERATIONS,
]

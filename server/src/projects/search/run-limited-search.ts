import { isStatementTimeout } from '../../platform/database/database-errors.ts'
import { runExpensive } from '../../platform/http/query-cost.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { SearchTerm } from './keywords.ts'
import { isIndexed, searchWords } from './search-terms-sql.ts'

/** Without an indexed word, names and titles are compared one by one, which is limited per client. */
export async function runLimitedSearch<T>(terms: readonly SearchTerm[], find: () => Promise<T>): Promise<T> {
  try {
    return await (searchWords(terms).some(isIndexed) ? find() : runExpensive(find))
  } catch (error) {
    throw isStatementTimeout(error) ? new ApiError('query_too_expensive') : error
  }
}

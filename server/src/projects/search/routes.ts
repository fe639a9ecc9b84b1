import type { Route } from '../../platform/http/route.ts'
import { quickSearch } from './quick-search.ts'
import { search } from './search.ts'

export const SEARCH_ROUTES: readonly Route[] = [quickSearch, search]

import type { Route } from '../../platform/http/route.ts'
import { getRank } from './get-rank.ts'
import { listRankChanges } from './list-rank-changes.ts'
import { rankArtifacts } from './rank-artifacts.ts'

export const RANK_ROUTES: readonly Route[] = [getRank, rankArtifacts, listRankChanges]

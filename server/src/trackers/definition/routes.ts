import type { Route } from '../../platform/http/route.ts'
import { createTracker } from '../create-tracker.ts'
import { deleteTracker } from '../delete-tracker.ts'
import { planTracker } from '../plan-tracker.ts'
import { restoreTracker } from '../restore-tracker.ts'
import { listTrackerTemplates } from '../templates/list-tracker-templates.ts'
import { getDefinition } from './get-definition.ts'
import { putDefinition } from './put-definition.ts'

export const DEFINITION_ROUTES: readonly Route[] = [
  listTrackerTemplates,
  createTracker,
  planTracker,
  getDefinition,
  putDefinition,
  deleteTracker,
  restoreTracker,
]

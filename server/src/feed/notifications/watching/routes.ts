import type { Route } from '../../../platform/http/route.ts'
import { deleteArtifactWatch, deleteProjectWatch, deleteTrackerWatch } from './delete-watch.ts'
import { getArtifactWatch, getProjectWatch, getTrackerWatch } from './get-watch.ts'
import { listWatchers } from './list-watchers.ts'
import { listWatches } from './list-watches.ts'
import { setArtifactWatch, setProjectWatch, setTrackerWatch } from './set-watch.ts'

export const WATCH_ROUTES: readonly Route[] = [
  deleteArtifactWatch,
  deleteProjectWatch,
  deleteTrackerWatch,
  getArtifactWatch,
  getProjectWatch,
  getTrackerWatch,
  listWatchers,
  listWatches,
  setArtifactWatch,
  setProjectWatch,
  setTrackerWatch,
]

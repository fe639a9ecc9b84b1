import type { Route } from '../../platform/http/route.ts'
import { addArtifactFavourite, addProjectFavourite, addTrackerFavourite } from './add-favourite.ts'
import { listFavourites } from './list-favourites.ts'
import { listRecentlySeen } from './list-recently-seen.ts'
import { recordArtifactSeen, recordProjectSeen, recordTrackerSeen } from './record-seen.ts'
import { removeArtifactFavourite, removeProjectFavourite, removeTrackerFavourite } from './remove-favourite.ts'

export const PERSONAL_LIST_ROUTES: readonly Route[] = [
  listFavourites,
  addArtifactFavourite,
  addTrackerFavourite,
  addProjectFavourite,
  removeArtifactFavourite,
  removeTrackerFavourite,
  removeProjectFavourite,
  listRecentlySeen,
  recordArtifactSeen,
  recordTrackerSeen,
  recordProjectSeen,
]

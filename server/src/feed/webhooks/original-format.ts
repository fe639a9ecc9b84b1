import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { anonymousUser } from '../../accounts/users/user.ts'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { Changeset } from '../../artifacts/history/represent-changesets.ts'
import type { StatesAround } from '../../artifacts/history/states-around.ts'
import type { Audience } from '../../artifacts/reading/audience.ts'
import { isId } from '../../platform/database/ids.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { groupsOfViewer } from '../../projects/groups/groups-of-viewer.ts'
import { groupIn, groupOfTracker } from '../../trackers/groups-of-tracker.ts'
import { representTracker } from '../../trackers/represent-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { VisibleEvent } from '../scan-events.ts'

/** Builds bodies of the original format; undefined for events that it does not have. */
export function createOriginalFormat(
  audience: Audience,
): (event: VisibleEvent, id: ArtifactId | undefined, states: StatesAround | undefined) => Promise<object | undefined> {
  const { context, db, language } = audience
  const trackers = new Map<TrackerAccess, object>()
  const groups = new Map<string, object[]>()
  return async (event, id, states) => {
    const isNew = event.type === 'artifact.created'
    if (!states?.current || (!isNew && event.type !== 'artifact.updated')) return undefined
    const { access, current, previous } = states
    const key = `${access.tracker.id} ${current.submitted_by}`
    const submitterGroups = groups.get(key) ?? (await loadSubmitterGroups(audience, access, current.submitted_by))
    groups.set(key, submitterGroups)
    const tracker = trackers.get(access) ?? (await representTracker(context, db, access, language))
    trackers.set(access, tracker)
    return {
      id,
      action: isNew ? 'create' : 'update',
      user: current.submitted_by_details ?? anonymousUser(context, language),
      submitter_user_groups: submitterGroups,
      current: toOriginalFormat(current),
      previous: previous && toOriginalFormat(previous),
      is_custom_code_execution: false,
      tracker,
    }
  }
}

/** The keys of the original webhook format. */
function toOriginalFormat(changeset: Changeset): object {
  return Object.fromEntries(Object.entries(changeset).filter(([name]) => name !== 'version'))
}

/** Groups of an account are readable by administrators of the tracker only. */
async function loadSubmitterGroups(
  { context, db, language }: Audience,
  { tracker, administers }: TrackerAccess,
  id: number | null,
): Promise<object[]> {
  if (id === null || !isId<AccountId>(id) || !administers) return []
  const submitter = await findUsableViewer(context, id)
  if (!submitter) return []
  const groups = await groupsOfViewer(db, submitter, tracker.project_id)
  // A fixed order, so that a repeated delivery is equal byte for byte.
  return [...groups]
    .toSorted((one, other) => one - other)
    .flatMap((group) => {
      const found = groupIn(tracker, group, language)
      return found ? [groupOfTracker(found)] : []
    })
}

import { createDirectoryMemory } from './accounts/directories/directory-memory.ts'
import { createIdentityMemory } from './accounts/identity/identity-memory.ts'
import { createVerifiedPasswords } from './accounts/sign-in/verified-passwords.ts'
import { createPendingAttempts } from './accounts/sign-in/throttle.ts'
import { storedValues } from './artifacts/count-stored-values.ts'
import { createRepresentationCache } from './artifacts/reading/representation-cache.ts'
import { createEntryCache } from './artifacts/search/entry-cache.ts'
import { createSearchMemory } from './artifacts/search/search-memory.ts'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { createFeedHub } from './feed/feed-hub.ts'
import { createLiveQueryHub } from './feed/live-queries/live-query-hub.ts'
import { createDeliveryPool } from './feed/webhooks/deliver.ts'
import { createReceiverConnections } from './feed/webhooks/receiver-connections.ts'
import { resolveHost } from './platform/http/ssrf-guard.ts'
import { createJobCooldown } from './feed/workflow-jobs/workflow-job.ts'
import { createPreviewRenderings } from './files/previews/preview.ts'
import { createAvatarRenderer } from './files/previews/render-avatar.ts'
import { openStore } from './files/store/open-store.ts'
import { type Config } from './platform/operation/config.ts'
import type { Clock, Context } from './platform/operation/context.ts'
import { createBulkLimit } from './platform/http/bulk.ts'
import { createStreamPermits } from './platform/http/event-stream.ts'
import { createExportLimits } from './platform/http/export.ts'
import { createRateLimits } from './platform/http/rate-limit.ts'
import { openPools } from './platform/database/pools.ts'
import { createSnapshots } from './platform/database/snapshots.ts'
import { createLog } from './platform/operation/log.ts'
import { createRightsCheck } from './platform/operation/rights-check.ts'
import { createMailer } from './platform/jobs/mailer.ts'
import { createSecrets } from './platform/operation/secrets.ts'
import { createSettings, fixedSettings } from './platform/operation/settings.ts'
import {
  ACTIVITY_SOURCES,
  ADMINISTERED_TRACKER,
  ARTIFACT_PEOPLE,
  COPY_TEMPLATE,
  EXPORT_SOURCES,
  INCOMING_REFERENCES,
  FOLLOW_HOOKS,
  FOLLOW_INDEX,
  FURTHER_TRASH,
  FIND_BY_KEYS,
  GROUP_USES,
  IDENTITY_GROUPS,
  NAMED_OBJECTS,
  ON_ERASE,
  ON_RENAME,
  OWN_KEYWORDS,
  NOTIFIED_PEOPLE,
  PROJECT_CONTENTS,
  PROJECT_PURGERS,
  REFERENCE_KINDS,
  QUICK_KINDS,
  SEARCHED_KINDS,
} from './ports.ts'
import { enterableProjects } from './projects/enterable-projects.ts'
import { invitedProjects } from './projects/invite-member.ts'
import { sharesProject } from './projects/shares-project.ts'
import { createRevisionPermissions } from './repositories/access/can-read-revision.ts'
import { createHistoryCache } from './repositories/browse/engine/history.ts'
import { createDirectoryPermissions } from './repositories/revisions/readable-directories.ts'
import { createLastViewers } from './repositories/sign-in/authorize-svn-request.ts'
import { SERVICE_RESOURCES } from './sub-resources.ts'
import { createTrackerCache } from './trackers/load-tracker.ts'
import { createNumberSource } from './trackers/number-source.ts'
import { createVisibilityCache } from './trackers/tracker-access.ts'

/** The share of the memory for representations that entries of lists take. */
const LIST_ENTRY_SHARE = 1 / 8

const SYSTEM_CLOCK: Clock = { now: () => new Date() }

/** Builds the context of requests, jobs and commands. The caller closes it: `closePools(context.pools)`. */
export async function createContext(config: Config, clock: Clock = SYSTEM_CLOCK): Promise<Context> {
  const pools = openPools(config)
  const db = pools.interactive
  const previewRenderings = createPreviewRenderings()
  const snapshots = createSnapshots(db)
  const settings = await createSettings(db, fixedSettings(config))
  const { WAYPOST_CACHE_MIB: mib } = config
  const listEntries = createEntryCache({ WAYPOST_CACHE_MIB: mib * LIST_ENTRY_SHARE })
  const representations = createRepresentationCache(
    { WAYPOST_CACHE_MIB: mib * (1 - LIST_ENTRY_SHARE) },
    db,
    INCOMING_REFERENCES,
  )
  return {
    db,
    pools,
    snapshots,
    config,
    clock,
    settings,
    secrets: createSecrets(config.WAYPOST_SECRET_KEYS),
    log: createLog(config.WAYPOST_LOG_LEVEL),
    mailer: createMailer(config, settings),
    rateLimits: createRateLimits(config.WAYPOST_RATE_LIMIT_FACTOR),
    rightsCheck: createRightsCheck(config),
    runningBulks: createBulkLimit(),
    exportLimits: createExportLimits(config),
    streamPermits: createStreamPermits(),
    pendingAttempts: createPendingAttempts(),
    verifiedPasswords: createVerifiedPasswords(),
    blobs: await openStore(config),
    previewRenderings,
    renderAvatar: createAvatarRenderer(previewRenderings),
    sharesProject,
    invitedProjects,
    enterableProjects,
    identityGroups: IDENTITY_GROUPS,
    identityMemory: createIdentityMemory(),
    directoryMemory: createDirectoryMemory(),
    onErase: ON_ERASE,
    onRename: ON_RENAME,
    exportSources: EXPORT_SOURCES,
    serviceResources: SERVICE_RESOURCES,
    activitySources: ACTIVITY_SOURCES,
    referenceKinds: REFERENCE_KINDS,
    ownKeywords: OWN_KEYWORDS,
    findByKeys: FIND_BY_KEYS,
    namedObjects: NAMED_OBJECTS,
    incomingReferences: INCOMING_REFERENCES,
    furtherTrash: FURTHER_TRASH,
    groupUses: GROUP_USES,
    projectContents: PROJECT_CONTENTS,
    projectPurgers: PROJECT_PURGERS,
    quickKinds: QUICK_KINDS,
    searchedKinds: SEARCHED_KINDS,
    projectsWithAdministeredTracker: ADMINISTERED_TRACKER,
    artifactPeople: ARTIFACT_PEOPLE,
    notifiedPeople: NOTIFIED_PEOPLE,
    auditActions: AUDIT_ACTIONS,
    trackers: createTrackerCache(),
    representations,
    listEntries,
    searches: createSearchMemory(snapshots),
    measuredCaches: { representations, list_entries: listEntries },
    trackerVisibility: createVisibilityCache(),
    artifactNumbers: createNumberSource(),
    lastSvnViewers: createLastViewers(),
    svnHistories: createHistoryCache(),
    revisionPermissions: createRevisionPermissions(),
    directoryPermissions: createDirectoryPermissions(clock),
    feed: createFeedHub(),
    live: createLiveQueryHub(),
    deliveryPool: createDeliveryPool(),
    receiverConnections: createReceiverConnections(),
    jobCooldown: createJobCooldown(clock),
    addressesOf: resolveHost,
    followHooks: FOLLOW_HOOKS,
    followIndex: FOLLOW_INDEX,
    copyTemplate: COPY_TEMPLATE,
    storedValues,
  }
}

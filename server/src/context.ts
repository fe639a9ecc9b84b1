import { storedValues } from './artifacts/count-stored-values.ts'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { createFeedWatch } from './feed/follow-feed.ts'
import { createLiveWatch } from './feed/live-queries/live-watch.ts'
import { createCourier } from './feed/webhooks/deliver.ts'
import { lookUpName } from './feed/webhooks/targets.ts'
import { openStore } from './files/store/open-store.ts'
import { type Config } from './platform/operation/config.ts'
import type { Clock, Context } from './platform/operation/context.ts'
import { openDatabase } from './platform/database/db.ts'
import { createLog } from './platform/operation/log.ts'
import { createMailer } from './platform/jobs/mail.ts'
import { createSecrets } from './platform/operation/secrets.ts'
import { createSettings, fixedSettings } from './platform/operation/settings.ts'
import {
  ACTIVITY_SOURCES,
  ADMINISTERED_TRACKER,
  ARTIFACT_PEOPLE,
  EXPORT_SOURCES,
  INCOMING_REFERENCES,
  FOLLOW_HOOKS,
  FOLLOW_INDEX,
  FURTHER_TRASH,
  ON_ERASE,
  ON_RENAME,
  OWN_KEYWORDS,
  PEOPLE_TOLD,
  REFERENCE_KINDS,
  SEARCHED_KINDS,
} from './ports.ts'
import { invitedProjects } from './projects/invite-member.ts'
import { sharesProject } from './projects/shares-project.ts'
import { SERVICE_RESOURCES } from './sub-resources.ts'
import { createTrackerMemory } from './trackers/load-tracker.ts'

const SYSTEM_CLOCK: Clock = { now: () => new Date() }

/** Builds what requests, jobs and commands use. Whoever builds it ends it: `context.db.destroy()`. */
export async function createContext(config: Config, clock: Clock = SYSTEM_CLOCK): Promise<Context> {
  const db = openDatabase({ connectionString: config.WAYPOST_DATABASE_URL, max: config.WAYPOST_DATABASE_POOL })
  const settings = await createSettings(db, fixedSettings(config))
  return {
    db,
    config,
    clock,
    settings,
    secrets: createSecrets(config.WAYPOST_SECRET_KEYS),
    log: createLog(config.WAYPOST_LOG_LEVEL),
    mailer: createMailer(config, settings),
    blobs: await openStore(config),
    sharesProject,
    invitedProjects,
    onErase: ON_ERASE,
    onRename: ON_RENAME,
    exportSources: EXPORT_SOURCES,
    serviceResources: SERVICE_RESOURCES,
    activitySources: ACTIVITY_SOURCES,
    referenceKinds: REFERENCE_KINDS,
    ownKeywords: OWN_KEYWORDS,
    incomingReferences: INCOMING_REFERENCES,
    furtherTrash: FURTHER_TRASH,
    searchedKinds: SEARCHED_KINDS,
    projectsWithAdministeredTracker: ADMINISTERED_TRACKER,
    artifactPeople: ARTIFACT_PEOPLE,
    peopleTold: PEOPLE_TOLD,
    auditActions: AUDIT_ACTIONS,
    trackers: createTrackerMemory(),
    feed: createFeedWatch(),
    live: createLiveWatch(),
    courier: createCourier(),
    addressesOf: lookUpName,
    followHooks: FOLLOW_HOOKS,
    followIndex: FOLLOW_INDEX,
    storedValues,
  }
}

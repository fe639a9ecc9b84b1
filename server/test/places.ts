import type { ArtifactId } from '../src/artifacts/artifact.ts'
import type { WebhookId } from '../src/feed/webhooks/webhook.ts'
import type { FileId } from '../src/files/file.ts'
import { toId } from '../src/platform/database/ids.ts'
import type { RepositoryId } from '../src/repositories/repository.ts'
import type { LabelId, ProjectId, ProjectServiceId, UserGroupId } from '../src/projects/project.ts'
import type { FieldId, ListValueId, RendererId, ReportId, TrackerId, TransitionId } from '../src/trackers/tracker.ts'

export const ORCHARD = toId<ProjectId>(2001) // public: Mara administers it; Tom, Uma and Sam are members
export const VAULT = toId<ProjectId>(2002) // private: Victor alone
export const QUARRY = toId<ProjectId>(2003) // private: Rita and Victor; Victor administers it
export const MARSH = toId<ProjectId>(2004) // suspended: was public, with the people of Orchard
export const RUIN = toId<ProjectId>(2005) // deleted
export const NURSERY = toId<ProjectId>(2006) // public, a template

export const LEADS = toId<UserGroupId>(3001) // of Orchard: Uma, and Gus who is not a member
export const KEEPERS = toId<UserGroupId>(3002) // of Vault: Victor
export const SHADOWS = toId<UserGroupId>(3003) // of Orchard, bound to `leads`

export const ORCHARD_SVN = toId<ProjectServiceId>(5001)
export const VAULT_SVN = toId<ProjectServiceId>(5002)
export const ORCHARD_SUMMARY = toId<ProjectServiceId>(5003)
export const ORCHARD_TRACKERS = toId<ProjectServiceId>(5004)

/** Repositories without a place on disk; only where artifacts are seeded. */
export const SEEDS = toId<RepositoryId>(19_501) // of Orchard
export const HOARD = toId<RepositoryId>(19_502) // of Vault
export const LOST_SEEDS = toId<RepositoryId>(19_503) // of Orchard, deleted
export const PEAT = toId<RepositoryId>(19_504) // of Marsh

export const URGENT = toId<LabelId>(6001) // of Orchard
export const SECRET_LABEL = toId<LabelId>(6002) // of Vault

export const BUGS = toId<TrackerId>(7001) // of Orchard: everybody sees it, `leads` administer it
export const SAFE = toId<TrackerId>(7002) // of Vault
export const LEDGER = toId<TrackerId>(7003) // of Orchard: only `leads` see it, and who administers Orchard
export const LOST_BUGS = toId<TrackerId>(7004) // of Orchard, in the trash
export const MARSH_BUGS = toId<TrackerId>(7005) // of Marsh
export const GATES = toId<TrackerId>(7006) // of Orchard, only where artifacts are seeded: each may be restricted

/** Fields of Bugs. */
export const BUG = {
  main: toId<FieldId>(7101),
  summary: toId<FieldId>(7102),
  details: toId<FieldId>(7103),
  status: toId<FieldId>(7104),
  assigned_to: toId<FieldId>(7105),
  team: toId<FieldId>(7106),
  points: toId<FieldId>(7107),
  due: toId<FieldId>(7108),
  notes: toId<FieldId>(7109), // for members
  budget: toId<FieldId>(7110), // for administrators of the project
  links: toId<FieldId>(7111),
  id: toId<FieldId>(7112),
  submitted_by: toId<FieldId>(7113),
  submitted_on: toId<FieldId>(7114),
  old: toId<FieldId>(7115), // not used
} as const
export const BUG_STATUS = {
  open: toId<ListValueId>(7201),
  fixed: toId<ListValueId>(7202),
  rotten: toId<ListValueId>(7203), // hidden
} as const
/** The one transition of Bugs, of a workflow that is not in use, and those of the other trackers. */
export const BUG_BEGINS = toId<TransitionId>(7301)
export const SAFE_BEGINS = toId<TransitionId>(7321)
export const LEDGER_BEGINS = toId<TransitionId>(7341)
export const LOST_BEGINS = toId<TransitionId>(7361)
export const MARSH_BEGINS = toId<TransitionId>(7381)
/** The public reports of the trackers: all artifacts, and nothing of fields. Tom has made one for himself. */
export const BUG_REPORT = toId<ReportId>(7601) // the default, with one table
export const BUG_TABLE = toId<RendererId>(7701)
export const SAFE_REPORT = toId<ReportId>(7621)
export const LEDGER_REPORT = toId<ReportId>(7641)
export const LOST_REPORT = toId<ReportId>(7661)
export const MARSH_REPORT = toId<ReportId>(7681)
export const TOMS_REPORT = toId<ReportId>(7801) // of Bugs

/** Webhooks of the trackers, each with one delivery, a thousand further; only where artifacts are seeded. */
export const HOOK = {
  bugs: toId<WebhookId>(20_001),
  safe: toId<WebhookId>(20_002),
  ledger: toId<WebhookId>(20_003),
  lost: toId<WebhookId>(20_004),
  marsh: toId<WebhookId>(20_005),
} as const

// Artifacts, each with one version; `seed-artifacts.ts` makes them where they are wanted.
export const OPEN_BUG = toId<ArtifactId>(14_001)
export const SAFE_SECRET = toId<ArtifactId>(14_002)
export const LEDGER_SECRET = toId<ArtifactId>(14_003)
export const LOST_BUG = toId<ArtifactId>(14_004) // of Bugs, in the trash
export const MARSH_SECRET = toId<ArtifactId>(14_005)
export const GATED = toId<ArtifactId>(14_006) // of Gates, restricted to `leads`
export const OPEN_GATE = toId<ArtifactId>(14_007) // of Gates, and of nobody in particular

// Trackers with the fields Title, Papers, Secrets (for administrators) and Seen by; only where artifacts are seeded.
export const FOLDERS = toId<TrackerId>(7007) // of Orchard, for everybody
export const SAFE_FOLDERS = toId<TrackerId>(7008) // of Vault
export const LEDGER_FOLDERS = toId<TrackerId>(7009) // of Orchard, for `leads`
export const LOST_FOLDERS = toId<TrackerId>(7010) // of Orchard, in the trash
export const MARSH_FOLDERS = toId<TrackerId>(7011) // of Marsh
/** The fields of Papers; that of Secrets is the next. */
export const PAPERS = {
  folders: toId<FieldId>(7922),
  secrets: toId<FieldId>(7923),
  safe: toId<FieldId>(7942),
  ledger: toId<FieldId>(7962),
  lost: toId<FieldId>(7982),
  marsh: toId<FieldId>(8002),
} as const
/** Empty files, each attached to an artifact of its own but for the first two. */
export const PAPER = {
  open: toId<FileId>(18_901),
  secret: toId<FileId>(18_902), // in the field for administrators
  safe: toId<FileId>(18_903),
  ledger: toId<FileId>(18_904),
  gated: toId<FileId>(18_905), // of an artifact for `leads`
  lost: toId<FileId>(18_906), // of an artifact in the trash
  marsh: toId<FileId>(18_908),
} as const
export const OPEN_FOLDER = toId<ArtifactId>(14_011)

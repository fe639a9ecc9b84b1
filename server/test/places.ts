import { toId } from '../src/platform/database/ids.ts'
import type { LabelId, ProjectId, ProjectServiceId, UserGroupId } from '../src/projects/project.ts'

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

export const URGENT = toId<LabelId>(6001) // of Orchard
export const SECRET_LABEL = toId<LabelId>(6002) // of Vault

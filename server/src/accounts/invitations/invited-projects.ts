import { type Static, Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Work } from '../../platform/http/work.ts'
import type { AccountStatus } from '../account.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** How one invites into a project; the projects room says. */
    readonly invitedProjects: InvitedProjects
  }
}

export const InvitedProject = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    label_without_icon: Type.String(),
    shortname: Type.String(),
    status: Type.Union([Type.String(), Type.Null()]),
    access: Type.String(),
    is_template: Type.Boolean(),
  },
  { title: 'InvitedProject' },
)
export type InvitedProject = Static<typeof InvitedProject>

export interface InvitedProjects {
  /** The project, if this viewer may invite people there; refuses him otherwise. */
  requireMayInvite(tx: Tx, viewer: Viewer, id: number): Promise<InvitedProject>
  /** What an invited person is shown; null: it is no longer there. */
  describe(db: Db | Tx, id: number): Promise<InvitedProject | null>
  addMember(
    work: Work,
    id: number,
    account: { id: AccountId; status: AccountStatus },
    now: Date,
  ): Promise<'added' | 'already' | 'not_possible'>
}

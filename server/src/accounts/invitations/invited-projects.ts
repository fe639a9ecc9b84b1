import type { RawBuilder } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { AccountStatus } from '../account.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Invitations to projects; implemented by the projects module. */
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
  /** The active project, if the viewer administers it; else an error. */
  requireAdministered(tx: Tx, viewer: Viewer, id: number): Promise<InvitedProject>
  /** SQL condition: the account administers the project. */
  isAdministeredBy(project: RawBuilder<unknown>, account: RawBuilder<unknown>): RawBuilder<boolean>
  /** SQL condition: the project is active. */
  isOpen(project: RawBuilder<unknown>): RawBuilder<boolean>
  /** Project data for the invited person; null if the project is gone. */
  describe(db: Db | Tx, id: number): Promise<InvitedProject | null>
  addMember(
    work: WriteContext,
    id: number,
    account: { id: AccountId; status: AccountStatus },
    now: Date,
  ): Promise<'added' | 'already' | 'not_possible'>
}

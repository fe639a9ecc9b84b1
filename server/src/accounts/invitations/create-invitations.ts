import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { isMailAddress } from '../../platform/jobs/mail.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Work } from '../../platform/http/work.ts'
import type { AccountStatus } from '../account.ts'
import { fold } from '../login.ts'
import { countMails, INVITATIONS } from '../mails/mail-limit.ts'
import { requireAccount } from '../refusals.ts'
import type { InvitedProject } from './invited-projects.ts'

const Outcome = Type.Object(
  {
    failures: Type.Array(Type.String()),
    already_project_members: Type.Array(Type.String()),
    known_users_added_to_project_members: Type.Array(Type.String(), { description: 'For site administrators only.' }),
    known_users_not_alive: Type.Array(Type.String(), { description: 'For site administrators only.' }),
  },
  { title: 'InvitationOutcome' },
)
type Outcome = Static<typeof Outcome>

interface Known {
  id: AccountId
  status: AccountStatus
}

export const createInvitations = writeRoute({
  method: 'POST',
  path: '/invitations',
  operationId: 'createInvitations',
  summary: 'Invite people by their addresses, to the platform or to a project.',
  access: 'signed_in',
  action: 'invitation.create',
  body: Type.Object(
    {
      emails: Type.Array(Type.String({ maxLength: 254, trim: true }), { minItems: 1, maxItems: 50 }),
      custom_message: Type.Optional(Type.String({ maxLength: 2000 })),
      project_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    },
    { title: 'NewInvitations' },
  ),
  answer: Outcome,
  status: 201,
  async handle({ context, viewer, body: { emails, custom_message = '', project_id = null } }, work) {
    const account_id = requireAccount(viewer)
    if (viewer.is_restricted) throw new ApiError('permission_denied', { cause: 'restricted_account' })
    const project =
      project_id === null ? null : await context.invitedProjects.requireMayInvite(work.tx, viewer, project_id)
    const addresses = [...new Map(emails.map((email) => [fold(email), email])).values()]
    const wait = await countMails(work.tx, account_id, INVITATIONS, context.clock.now(), { count: addresses.length })
    if (wait !== undefined) throw new ApiError('rate_limited').with({ 'retry-after': String(wait) })

    const outcome: Outcome = {
      failures: [],
      already_project_members: [],
      known_users_added_to_project_members: [],
      known_users_not_alive: [],
    }
    for (const email of addresses) {
      const known = isMailAddress(email) ? await findKnown(work.tx, email) : 'not_an_address'
      if (known === 'nobody') await mail(work, { email, invited_by: account_id, project, custom_message })
      else outcomeOf(outcome, await welcome(context, work, known, project)).push(email)
    }
    await work.change({
      object: 'invitations',
      op: 'create',
      ...(project && { project_id: project.id }),
      after: { addresses: addresses.length },
    })
    const { failures, already_project_members } = outcome
    const told = {
      failures,
      already_project_members,
      known_users_added_to_project_members: [],
      known_users_not_alive: [],
    }
    return { body: viewer.is_site_admin ? outcome : told, location: 'invitations' }
  },
})

type Result = keyof Outcome | 'nothing_to_do'

function outcomeOf(outcome: Outcome, result: Result): string[] {
  return result === 'nothing_to_do' ? [] : outcome[result]
}

/** Who has an account already is not invited to make one, but may become a member at once. */
async function welcome(
  context: Context,
  work: Work,
  known: Known | 'several' | 'not_an_address',
  project: InvitedProject | null,
): Promise<Result> {
  if (known === 'several' || known === 'not_an_address') return 'failures'
  if (known.status !== 'A' && known.status !== 'R') return 'known_users_not_alive'
  if (!project) return 'nothing_to_do'
  const added = await context.invitedProjects.addMember(work, project.id, known, context.clock.now())
  if (added === 'already') return 'already_project_members'
  return added === 'added' ? 'known_users_added_to_project_members' : 'failures'
}

async function findKnown(tx: Tx, email: string): Promise<Known | 'several' | 'nobody'> {
  const { rows } = await sql<Known>`
    select account.id, account.status from account where folded(account.email) = folded(${email})`.execute(tx)
  const [known, ...others] = rows
  if (!known) return 'nobody'
  return others.length === 0 ? known : 'several'
}

/** The link is made when the mail is written: it stands nowhere else. */
async function mail(
  work: Work,
  invitation: { email: string; invited_by: AccountId; project: InvitedProject | null; custom_message: string },
): Promise<void> {
  const { email, invited_by, project, custom_message } = invitation
  const place = project && { project_id: project.id, project: project.label_without_icon }
  await work.enqueue({
    type: 'mail',
    payload: { template: 'invitation', email, params: { invited_by, custom_message, ...place } },
  })
  // Whom no mail goes to has an account: that is not for everybody to find out.
  if (work.origin.viewer.is_site_admin) work.notify({ user: { email }, channel: 'mail', why: 'invitation' })
}

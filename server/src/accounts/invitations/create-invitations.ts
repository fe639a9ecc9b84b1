import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import type { Tx } from '../../platform/database/db.ts'
import { isMailAddress } from '../../platform/jobs/mailer.ts'
import { rateLimited } from '../../platform/http/rate-limit.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { AccountStatus } from '../account.ts'
import { fold } from '../login.ts'
import { countMails, INVITATIONS } from '../mails/mail-limit.ts'
import { LINK_TTL_MS, reserveLink } from '../mails/mailed-link.ts'
import { requireAccount } from '../auth-errors.ts'
import { requireMayInvite } from './invitation.ts'
import type { InvitedProject } from './invited-projects.ts'

const MAX_MESSAGE_LENGTH = 500

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

interface KnownAccount {
  id: AccountId
  status: AccountStatus
}

export const createInvitations = writeRoute({
  method: 'POST',
  path: '/invitations',
  operationId: 'createInvitations',
  summary: 'Invite people by their addresses, to the platform or to a project.',
  description:
    'Mails links by which people create an account and become members of a project. Site administrators; others as the setting `who_may_invite` says. Too many addresses at once, and projects that you may not invite to, are refused.',
  access: 'signed_in',
  action: 'invitation.create',
  body: Type.Object(
    {
      emails: Type.Array(Type.String({ maxLength: 254, trim: true }), { minItems: 1, maxItems: 50 }),
      custom_message: Type.Optional(
        Type.String({ maxLength: MAX_MESSAGE_LENGTH, description: 'Plain text; addresses in it do not become links.' }),
      ),
      project_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    },
    { title: 'NewInvitations' },
  ),
  answer: Outcome,
  status: 201,
  async handle({ context, viewer, body: { emails, custom_message = '', project_id = null } }, work) {
    const account_id = requireAccount(viewer)
    const project =
      project_id === null ? null : await context.invitedProjects.requireAdministered(work.tx, viewer, project_id)
    requireMayInvite(context, viewer, project)
    const addresses = [...new Map(emails.map((email) => [fold(email), email])).values()]
    const wait = await countMails(work.tx, account_id, INVITATIONS, context.clock.now(), { count: addresses.length })
    if (wait !== undefined) throw rateLimited(INVITATIONS, wait)

    const outcome: Outcome = {
      failures: [],
      already_project_members: [],
      known_users_added_to_project_members: [],
      known_users_not_alive: [],
    }
    for (const email of addresses) {
      const known = isMailAddress(email) ? await findKnownAccount(work.tx, email) : 'not_an_address'
      if (known === 'unknown')
        await sendInvitation(context, work, { email, invited_by: account_id, project, custom_message })
      else outcomeOf(outcome, await addKnownAccount(context, work, known, project)).push(email)
    }
    await work.change({
      object: 'invitations',
      op: 'create',
      ...(project && { project_id: project.id }),
      after: { addresses: addresses.length },
    })
    const { failures, already_project_members } = outcome
    const visibleOutcome = {
      failures,
      already_project_members,
      known_users_added_to_project_members: [],
      known_users_not_alive: [],
    }
    return { body: viewer.is_site_admin ? outcome : visibleOutcome, location: 'invitations' }
  },
})

type Result = keyof Outcome | 'nothing_to_do'

function outcomeOf(outcome: Outcome, result: Result): string[] {
  return result === 'nothing_to_do' ? [] : outcome[result]
}

/** An existing account gets no invitation, but becomes a project member at once. */
async function addKnownAccount(
  context: Context,
  work: WriteContext,
  known: KnownAccount | 'several' | 'not_an_address',
  project: InvitedProject | null,
): Promise<Result> {
  if (known === 'several' || known === 'not_an_address') return 'failures'
  if (known.status !== 'A' && known.status !== 'R') return 'known_users_not_alive'
  if (!project) return 'nothing_to_do'
  const added = await context.invitedProjects.addMember(work, project.id, known, context.clock.now())
  if (added === 'already') return 'already_project_members'
  return added === 'added' ? 'known_users_added_to_project_members' : 'failures'
}

async function findKnownAccount(tx: Tx, email: string): Promise<KnownAccount | 'several' | 'unknown'> {
  const { rows } = await sql<KnownAccount>`
    select account.id, account.status from account where folded(account.email) = folded(${email})`.execute(tx)
  const [known, ...others] = rows
  if (!known) return 'unknown'
  return others.length === 0 ? known : 'several'
}

/**
 * The invitation is listed and revocable from now on. Its secret is created when the mail is written, and exists only
 * there.
 */
async function sendInvitation(
  context: Context,
  work: WriteContext,
  invitation: { email: string; invited_by: AccountId; project: InvitedProject | null; custom_message: string },
): Promise<void> {
  const { email, invited_by, project, custom_message } = invitation
  const place = project && { project_id: project.id, project: project.label_without_icon }
  const invitation_id = await reserveLink(work.tx, context, 'invitation', LINK_TTL_MS.invitation, {
    email,
    invited_by,
    project_id: project?.id ?? null,
  })
  await work.enqueue({
    type: 'mail',
    payload: { template: 'invitation', email, params: { invited_by, invitation_id, custom_message, ...place } },
  })
  // An address without a mail belongs to an account; only site administrators may learn that.
  if (work.origin.viewer.is_site_admin) work.notify({ user: { email }, channel: 'mail', why: 'invitation' })
}

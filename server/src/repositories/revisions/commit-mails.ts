import { sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { fold } from '../../accounts/login.ts'
import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { loginByIdSql, usersByIdSql } from '../../accounts/users/user.ts'
import type { Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import type { MailMessage } from '../../platform/jobs/mailer.ts'
import type { MailTemplate } from '../../platform/jobs/mail-template.ts'
import type { Config } from '../../platform/operation/config.ts'
import type { Context } from '../../platform/operation/context.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { selectCatalogue, getMessage } from '../../platform/messages/catalogue.ts'
import { accountsInGroups } from '../../projects/groups/accounts-in-groups.ts'
import { projectIsActive, joinProject, projectShortname } from '../../projects/project-sql.ts'
import type { ProjectId } from '../../projects/project.ts'
import { gotoPath } from '../../projects/references/goto-path.ts'
import { mayEnter } from '../../projects/visibility.ts'
import { canReadRevision } from '../access/can-read-revision.ts'
import { accessStamp } from '../access/load-access-inputs.ts'
import { getSvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { readChangedPaths } from '../hooks/changed-paths.ts'
import type { ChangedPath } from '../hooks/transaction-changes.ts'
import type { RepositoryId, StoredNotification } from '../repository.ts'
import { changedDirectories, namedDirectories, notificationsFor } from './notified-paths.ts'

const TEMPLATE = 'svn_commit'
const MAX_LISTED_FILES = 500

interface RecordedCommit {
  readonly id: RepositoryId
  readonly project_id: ProjectId
  readonly revision: number
  readonly changes: readonly ChangedPath[]
}

/** Enqueues a mail per recipient address in the transaction that records the commit. */
export async function enqueueCommitMails(tx: Tx, { id, project_id, revision, changes }: RecordedCommit): Promise<void> {
  const { rows } = await sql<{ notifications: StoredNotification[] }>`
    select notifications from repository where id = ${id}`.execute(tx)
  const matching = notificationsFor(rows[0]?.notifications ?? [], changedDirectories(changes))
  if (matching.length === 0) return
  const people = await findPeople(tx, project_id, matching)
  const known = new Set(people.map(({ email }) => fold(email)))
  const others = new Map(
    matching.toReversed().flatMap(({ emails }) => emails.map((email) => [fold(email), email] as const)),
  )
  const params = { repository_id: id, revision }
  const order = (to: { account_id: AccountId } | { email: string }) =>
    enqueueJob(tx, { type: 'mail', payload: { template: TEMPLATE, ...to, params }, object: `svn/${id}` }, null)
  for (const account_id of new Set(people.map((one) => one.id))) await order({ account_id })
  for (const [folded, email] of others) if (!known.has(folded)) await order({ email })
}

/** Recipients with an address, without duplicates. */
async function findPeople(tx: Tx, project_id: ProjectId, matching: readonly StoredNotification[]) {
  const groups = matching.flatMap(({ user_groups }) => user_groups)
  const { rows: inGroups } = await sql<{ account_id: AccountId }>`${accountsInGroups(project_id, groups)}`.execute(tx)
  const ids = [...matching.flatMap(({ users }) => users), ...inGroups.map(({ account_id }) => account_id)]
  const { rows } = await sql<{ id: AccountId; email: string }>`
    select distinct on (folded(person.email)) person.id, person.email
    from (${usersByIdSql(sql`${ids}::bigint[]`)}) person
    where person.email is not null and person.status in ('A', 'R')
    order by folded(person.email), person.id`.execute(tx)
  return rows
}

const Params = Type.Object({ repository_id: Type.Integer(), revision: Type.Integer() })

/**
 * The commit, for a recipient who may read all of it at the time of sending. An address without an account has the path
 * rights of an anonymous reader.
 */
export const commitMail: MailTemplate = {
  name: TEMPLATE,
  params: Params,
  async compose({ context, tx, order }, params): Promise<MailMessage | undefined> {
    if (!Check(Params, params)) throw new TypeError('A mail about a commit names another one.')
    const { account_id, email } = order
    const viewer = account_id === undefined ? undefined : await findUsableViewer(context, toId<AccountId>(account_id))
    if (account_id !== undefined && !viewer) return undefined
    const found = await findRevision(tx, params.repository_id, params.revision, viewer)
    if (!found) return undefined
    if (!(await canReadRevision(context, found, viewer?.login))) return undefined
    const to = email ?? (account_id === undefined ? null : await findEmail(tx, account_id))
    return to === null || to === undefined ? undefined : composeLetter(context, found, to, viewer)
  },
}

interface FoundRevision {
  id: RepositoryId
  project_id: ProjectId
  shortname: string
  name: string
  stamp: string
  revision: number
  author: string | null
  message: string
  committed_on: Date
}

async function findRevision(tx: Tx, repository_id: number, revision: number, viewer: Viewer | undefined) {
  const { rows } = await sql<FoundRevision>`
    select repository.id, repository.project_id, ${projectShortname} as shortname, repository.name, ${accessStamp} as stamp,
      made.revision, coalesce(${loginByIdSql(sql`made.account_id`)}, made.author) as author, made.message, made.committed_on
    from repository_revision made join repository on repository.id = made.repository_id
      ${joinProject(sql`repository.project_id`)}
    where repository.id = ${repository_id} and made.revision = ${revision} and repository.deleted_on is null
      and ${viewer ? mayEnter(viewer, aliases('project')) : projectIsActive}`.execute(tx)
  return rows[0]
}

async function findEmail(tx: Tx, account_id: number): Promise<string | null> {
  const { rows } = await sql<{ email: string | null }>`
    select person.email from (${usersByIdSql(sql`${[account_id]}::bigint[]`)}) person`.execute(tx)
  return rows[0]?.email ?? null
}

async function composeLetter(
  context: Context,
  found: FoundRevision,
  to: string,
  viewer: Viewer | undefined,
): Promise<MailMessage> {
  const { config, settings } = context
  const changes = await readChangedPaths(repositoryFolder(getSvnFolders(config), found), ['-r', String(found.revision)])
  const language = selectCatalogue([viewer?.language, settings.current.language])
  const files = (op: ChangedPath['op']) => {
    const paths = changes.filter((change) => change.op === op).map(({ path }) => path)
    const lines = paths.slice(0, MAX_LISTED_FILES).flatMap((path) => [path, diffAddress(config, found, path)])
    const shown = [...lines, ...(paths.length > MAX_LISTED_FILES ? ['...'] : [])]
    return shown.length === 0
      ? ''
      : `\n${getMessage(language, `mail.svn_commit.${op}`)}\n${shown.map((line) => `  ${line}\n`).join('')}`
  }
  const link = new URL(gotoPath('svn', `${found.name}/${found.revision}`, found.project_id), config.WAYPOST_PUBLIC_URL)
  const placeholders = {
    repository: `${found.shortname}/${found.name}`,
    revision: String(found.revision),
    directories: namedDirectories(changedDirectories(changes)),
    author: found.author ?? '',
    date: apiDate(found.committed_on),
    link: link.href,
    message: found.message,
    files: files('modified') + files('added') + files('deleted'),
  }
  return {
    to,
    subject: getMessage(language, 'mail.svn_commit.subject', placeholders),
    text: getMessage(language, 'mail.svn_commit.text', placeholders),
  }
}

/** The URL of a file's diff on the revision page. */
function diffAddress({ WAYPOST_PUBLIC_URL }: Config, { shortname, name, revision }: FoundRevision, path: string) {
  const address = new URL(`/projects/${shortname}/repositories/${name}/revisions/${revision}`, WAYPOST_PUBLIC_URL)
  address.hash = path.split('/').map(encodeURIComponent).join('/')
  return address.href
}

import { sql } from 'kysely'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { fold } from '../../accounts/login.ts'
import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { loginOf, usersWith } from '../../accounts/users/user.ts'
import type { Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import type { Letter, MailTemplate } from '../../platform/jobs/mail.ts'
import type { Config } from '../../platform/operation/config.ts'
import type { Context } from '../../platform/operation/context.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { catalogueFor, text } from '../../platform/words/catalogue.ts'
import { accountsInGroups } from '../../projects/groups/accounts-in-groups.ts'
import { isActiveProject, itsProject, shortnameOf } from '../../projects/its-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { gotoPath } from '../../projects/references/goto-path.ts'
import { mayEnter } from '../../projects/visibility.ts'
import { readsRevision } from '../access/reads-revision.ts'
import { accessStamp } from '../access/read-ground.ts'
import { placesOf, repositoryIn } from '../disk/places.ts'
import { type ChangedPath, readChanges } from '../hooks/changed-paths.ts'
import type { RepositoryId, StoredNotification } from '../repository.ts'
import { changedDirectories, namedDirectories, notificationsFor } from './notified-paths.ts'

const TEMPLATE = 'svn_commit'
const MOST_FILES = 500

interface Told {
  readonly id: RepositoryId
  readonly project_id: ProjectId
  readonly revision: number
  readonly changes: readonly ChangedPath[]
}

/** Orders a mail for each address that is to be told of a commit, in the transaction that records it. */
export async function orderCommitMails(tx: Tx, { id, project_id, revision, changes }: Told): Promise<void> {
  const { rows } = await sql<{ notifications: StoredNotification[] }>`
    select notifications from repository where id = ${id}`.execute(tx)
  const told = notificationsFor(rows[0]?.notifications ?? [], changedDirectories(changes))
  if (told.length === 0) return
  const people = await findPeople(tx, project_id, told)
  const known = new Set(people.map(({ email }) => fold(email)))
  const others = new Map(
    told.toReversed().flatMap(({ emails }) => emails.map((email) => [fold(email), email] as const)),
  )
  const params = { repository_id: id, revision }
  const order = (to: { account_id: AccountId } | { email: string }) =>
    enqueueJob(tx, { type: 'mail', payload: { template: TEMPLATE, ...to, params }, object: `svn/${id}` }, null)
  for (const account_id of new Set(people.map((one) => one.id))) await order({ account_id })
  for (const [folded, email] of others) if (!known.has(folded)) await order({ email })
}

/** Those with an address, each address once. */
async function findPeople(tx: Tx, project_id: ProjectId, told: readonly StoredNotification[]) {
  const groups = told.flatMap(({ user_groups }) => user_groups)
  const { rows: inGroups } = await sql<{ account_id: AccountId }>`${accountsInGroups(project_id, groups)}`.execute(tx)
  const ids = [...told.flatMap(({ users }) => users), ...inGroups.map(({ account_id }) => account_id)]
  const { rows } = await sql<{ id: AccountId; email: string }>`
    select distinct on (folded(person.email)) person.id, person.email
    from (${usersWith(sql`${ids}::bigint[]`)}) person
    where person.email is not null and person.status in ('A', 'R')
    order by folded(person.email), person.id`.execute(tx)
  return rows
}

const Params = Type.Object({ repository_id: Type.Integer(), revision: Type.Integer() })

/** What was committed, for one who may read all of it when the mail leaves; addresses without an account are trusted. */
export const commitMail: MailTemplate = {
  name: TEMPLATE,
  params: Params,
  async compose({ context, tx, order }, params): Promise<Letter | undefined> {
    if (!Check(Params, params)) throw new TypeError('A mail about a commit names another one.')
    const { account_id, email } = order
    const viewer = account_id === undefined ? undefined : await findUsableViewer(context, toId<AccountId>(account_id))
    if (account_id !== undefined && !viewer) return undefined
    const found = await findRevision(tx, params.repository_id, params.revision, viewer)
    if (!found) return undefined
    if (viewer?.login !== undefined && !(await readsRevision(context, found, viewer.login))) return undefined
    const to = email ?? (account_id === undefined ? null : await addressOf(tx, account_id))
    return to === null || to === undefined ? undefined : write(context, found, to, viewer)
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
    select repository.id, repository.project_id, ${shortnameOf} as shortname, repository.name, ${accessStamp} as stamp,
      made.revision, coalesce(${loginOf(sql`made.account_id`)}, made.author) as author, made.message, made.committed_on
    from repository_revision made join repository on repository.id = made.repository_id
      ${itsProject(sql`repository.project_id`)}
    where repository.id = ${repository_id} and made.revision = ${revision} and repository.deleted_on is null
      and ${viewer ? mayEnter(viewer) : isActiveProject}`.execute(tx)
  return rows[0]
}

async function addressOf(tx: Tx, account_id: number): Promise<string | null> {
  const { rows } = await sql<{ email: string | null }>`
    select person.email from (${usersWith(sql`${[account_id]}::bigint[]`)}) person`.execute(tx)
  return rows[0]?.email ?? null
}

async function write(context: Context, found: FoundRevision, to: string, viewer: Viewer | undefined): Promise<Letter> {
  const { config, settings } = context
  const changes = await readChanges(repositoryIn(placesOf(config), found), ['-r', String(found.revision)])
  const language = catalogueFor([viewer?.language, settings.current.language])
  const files = (op: ChangedPath['op']) => {
    const paths = changes.filter((change) => change.op === op).map(({ path }) => path)
    const lines = paths.slice(0, MOST_FILES).flatMap((path) => [path, diffAddress(config, found, path)])
    const shown = [...lines, ...(paths.length > MOST_FILES ? ['...'] : [])]
    return shown.length === 0
      ? ''
      : `\n${text(language, `mail.svn_commit.${op}`)}\n${shown.map((line) => `  ${line}\n`).join('')}`
  }
  const link = new URL(gotoPath('svn', `${found.name}/${found.revision}`, found.project_id), config.WAYPOST_PUBLIC_URL)
  const places = {
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
    subject: text(language, 'mail.svn_commit.subject', places),
    text: text(language, 'mail.svn_commit.text', places),
  }
}

/** The page of the revision, which shows what has changed in each file, at one of them. */
function diffAddress({ WAYPOST_PUBLIC_URL }: Config, { shortname, name, revision }: FoundRevision, path: string) {
  const address = new URL(`/projects/${shortname}/repositories/${name}/revisions/${revision}`, WAYPOST_PUBLIC_URL)
  address.hash = path.split('/').map(encodeURIComponent).join('/')
  return address.href
}

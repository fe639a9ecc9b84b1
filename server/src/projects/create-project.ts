import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { isLoginInUse } from '../accounts/users/login-in-use.ts'
import { requireAccount } from '../accounts/auth-errors.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { ErrorProblem, Reason, InputRule } from '../platform/messages/reasons.ts'
import { writeRoute } from '../platform/http/route.ts'
import type { SettingValues } from '../platform/operation/settings.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'
import { recordMembershipEvents } from './membership.ts'
import { findLabelProblem } from './project-input.ts'
import { type Project, type ProjectAccess, type ProjectId, furtherResources, representProject } from './project.ts'
import { ProjectFull } from './schemas.ts'
import { serviceResources } from './service-resources.ts'
import { creationRefusal, isUsableTemplate } from './templates.ts'

/** The maximum number of pending projects per account. */
const MAX_PENDING_PROJECTS = 5
const RETRY_AFTER_SECONDS = 3600

const NewProject = Type.Object({
  shortname: Type.String({
    trim: true,
    description: '3 to 30 letters, digits and dashes; it begins with a letter or digit.',
  }),
  label: Type.String({ trim: true, description: '3 to 40 characters.' }),
  is_public: Type.Boolean(),
  allow_restricted: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  description: Type.Optional(Type.String({ maxLength: 10_000 })),
  template_id: Type.Optional(Type.Integer({ minimum: 1 })),
  xml_template_name: Type.Optional(Type.String()),
  from_archive: Type.Optional(Type.Object({ file_name: Type.String(), file_size: Type.Integer() })),
})
type NewProject = Static<typeof NewProject>

export const createProject = writeRoute({
  method: 'POST',
  path: '/projects',
  operationId: 'createProject',
  summary: 'Create a project from a template.',
  description:
    'Creates a project from a template, with its services, groups and trackers. Signed-in accounts that are not restricted, as the setting `project_creation` says. A short name that is taken or was ever used, and unknown templates, are refused.',
  access: 'signed_in',
  action: 'project.create',
  notifies: true,
  body: NewProject,
  answer: ProjectFull,
  status: 201,
  dryRun: { emptyStatus: 204 },
  async handle({ context, viewer, body }, work) {
    const account = requireAccount(viewer)
    const { current } = context.settings
    const refusal = creationRefusal(viewer, current)
    if (refusal) throwProblems(findInputProblems(body), refusal)
    throwProblems([...findInputProblems(body), ...(await findConflicts(work.tx, viewer, body))])

    const status = current.project_creation === 'approval' && !viewer.is_site_admin ? 'pending' : 'active'
    if (status === 'pending') await assertPendingProjectLimit(work.tx, account)
    const { shortname, label, description = '', template_id } = body
    const made = { shortname, label, description, status, access: toProjectAccess(body, current) } as const
    const id = await insertProject(work.tx, made, account, context.clock.now())
    await copyServices(work.tx, template_id, id)
    await work.change({
      object: 'projects',
      made: `projects/${id}`,
      op: 'create',
      project_id: id,
      after: { ...made, template_id },
    })
    await work.recordEvent({ type: 'project.created', object: `projects/${id}`, project_id: id })
    await recordMembershipEvents(work, id, { added: [account] })
    if (template_id !== undefined) await context.copyTemplate(context, work, { template: template_id, project: id })
    const services = await serviceResources({ ...context, db: work.tx }, [id])
    const project: Project = { ...made, id, icon: '', is_template: false, is_member_of: true }
    const further = furtherResources(viewer, { is_admin: true, is_member_of: true, banner: null })
    return { body: representProject(project, services(id), further), location: `projects/${id}` }
  },
})

/** Problems that depend on the input alone. */
function findInputProblems({
  shortname,
  label,
  template_id,
  xml_template_name,
  from_archive,
}: NewProject): ErrorProblem[] {
  const fault = findShortNameProblem(shortname)
  const faults: ErrorProblem[] = []
  if (fault) faults.push({ reason: 'name_invalid', path: 'shortname', rule: fault })
  const labelProblem = findLabelProblem(label)
  if (labelProblem) faults.push(labelProblem)
  if (template_id !== undefined) return faults
  if (xml_template_name !== undefined)
    return [...faults, { reason: 'reference_unknown', path: 'xml_template_name', rule: 'exists' }]
  if (from_archive)
    return [...faults, { reason: 'parameter_not_allowed', path: 'from_archive', rule: 'one_of', allowed: [] }]
  return [...faults, { reason: 'parameter_required', path: 'template_id', rule: 'required' }]
}

/** Conflicts with existing projects. */
async function findConflicts(tx: Tx, viewer: Viewer, { shortname, template_id }: NewProject): Promise<ErrorProblem[]> {
  const { rows } = await sql<{ is_taken: boolean; has_template: boolean }>`
    select ${isLoginInUse(shortname)}
      or exists (select from project where folded(project.shortname) = folded(${shortname}))
      or exists (select from project_tombstone where project_tombstone.shortname = folded(${shortname})) as is_taken,
      exists (select from project where project.id = ${template_id ?? null}
        and ${isUsableTemplate(viewer)}) as has_template`.execute(tx)
  const [found] = rows
  const faults: ErrorProblem[] = []
  if (found?.is_taken) faults.push({ reason: 'name_taken', path: 'shortname', rule: 'unique' })
  if (template_id !== undefined && !found?.has_template)
    faults.push({ reason: 'reference_unknown', path: 'template_id', rule: 'exists' })
  return faults
}

/** Throws all problems, the first as the reason; throws `otherwise` if there are none. */
function throwProblems(problems: readonly ErrorProblem[], otherwise?: ApiError): void {
  const [first, ...more] = problems
  if (first) {
    const { reason, ...details } = first
    throw new ApiError<Reason>(reason, more.length === 0 ? details : { ...details, all: problems })
  }
  if (otherwise) throw otherwise
}

/** Serializes creations of an account, so that each counts the previous ones. */
async function assertPendingProjectLimit(tx: Tx, account: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`waiting projects ${account}`}, 0))`.execute(tx)
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from project where project.created_by = ${account} and project.status = 'pending'`.execute(
    tx,
  )
  if ((rows[0]?.waiting ?? 0) >= MAX_PENDING_PROJECTS)
    throw new ApiError('project_quota_reached', { allowed: { maximum: MAX_PENDING_PROJECTS } }).with({
      'retry-after': String(RETRY_AFTER_SECONDS),
    })
}

function toProjectAccess(
  { is_public, allow_restricted }: NewProject,
  { restricted_users }: SettingValues,
): ProjectAccess {
  if (!restricted_users) return is_public ? 'public' : 'private'
  if (is_public) return allow_restricted ? 'unrestricted' : 'public'
  return allow_restricted ? 'private' : 'private-wo-restr'
}

/** Inserts the project with its first member and administrator. */
async function insertProject(
  tx: Tx,
  made: Pick<Project, 'shortname' | 'label' | 'description' | 'status' | 'access'>,
  account: AccountId,
  now: Date,
): Promise<ProjectId> {
  const { rows } = await sql<{ id: ProjectId }>`
    insert into project (shortname, label, description, status, access, created_by, created_on)
    values (${made.shortname}, ${made.label}, ${made.description}, ${made.status}, ${made.access}, ${account}, ${now})
    on conflict (folded(shortname)) do nothing
    returning id`.execute(tx)
  const [row] = rows
  if (!row) throw new ApiError('name_taken', { path: 'shortname', rule: 'unique' })
  await tx
    .insertInto('project_member')
    .values({ project_id: row.id, account_id: account, is_admin: true, added_on: now })
    .execute()
  return row.id
}

async function copyServices(tx: Tx, template: number | undefined, id: ProjectId): Promise<void> {
  await sql`
    insert into project_service (project_id, name, label, is_enabled, icon, is_custom, url)
    select ${id}, name, label, is_enabled, icon, is_custom, url from project_service
    where project_id = ${template ?? null} order by id`.execute(tx)
}

// Names of hosts and system components, which a project could impersonate; `new` is an address of the pages.
const RESERVED_NAMES = new Set(
  `admin administrator anonymous api backup bin compile cvs daemon database dns download downloads ftp git goto help
  imap irc ldap list lists localhost login mail mirror monitor mysql new news nobody none ns null pop postgres postgresql
  postmaster projects proxy pub public register root security shell smtp ssh static status support svn svnplugin
  svnroot system template templates test tmp undefined uploads users var waypost webmaster wiki www`.split(/\s+/),
)
const NUMBERED_HOST = /^(?:cvs|dns|ftp|irc|mail|news|ns|shell|svn|www)\d$/

/** The rule that a short name violates; undefined if it is valid. */
function findShortNameProblem(name: string): InputRule | undefined {
  if (name.length < 3) return 'min_length'
  if (name.length > 30) return 'max_length'
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(name)) return 'pattern'
  const lower = name.toLowerCase()
  return RESERVED_NAMES.has(lower) || NUMBERED_HOST.test(lower) ? 'one_of' : undefined
}

import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { isLoginInUse } from '../accounts/users/login-in-use.ts'
import { refusedTo, requireAccount } from '../accounts/refusals.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/words/errors.ts'
import type { Problem, Reason } from '../platform/words/reasons.ts'
import { writeRoute } from '../platform/http/route.ts'
import type { Settings } from '../platform/operation/settings.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'
import { tellMembers } from './membership.ts'
import { type Project, type ProjectAccess, type ProjectId, representProject } from './project.ts'
import { ProjectFull } from './schemas.ts'
import { serviceResources } from './service-resources.ts'
import { faultOfShortName } from './short-name.ts'
import { mayEnter } from './visibility.ts'

/** How many of one person's projects may wait for approval. */
const MOST_WAITING = 5
const HOUR = 3600
const LABEL = { minimum: 3, maximum: 40 }

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
  access: 'signed_in',
  action: 'project.create',
  body: NewProject,
  answer: ProjectFull,
  status: 201,
  dryRunStatus: 204,
  async handle({ context, viewer, body }, work) {
    const account = requireAccount(viewer)
    const { current } = context.settings
    const refusal = refusalOf(viewer, current)
    if (refusal) refuseAll(faultsOf(body), refusal)
    refuseAll([...faultsOf(body), ...(await storedFaultsOf(work.tx, viewer, body))])

    const status = current.project_creation === 'approval' && !viewer.is_site_admin ? 'pending' : 'active'
    if (status === 'pending') await requireRoomForWaiting(work.tx, account)
    const { shortname, label, description = '', template_id } = body
    const made = { shortname, label, description, status, access: accessOf(body, current) } as const
    const id = await insertProject(work.tx, made, account, context.clock.now())
    await copyServices(work.tx, template_id, id)
    await work.change({
      object: 'projects',
      made: `projects/${id}`,
      op: 'create',
      project_id: id,
      after: { ...made, template_id },
    })
    await work.tell({ type: 'project.created', object: `projects/${id}`, project_id: id })
    await tellMembers(work, id, { added: [account] })
    const services = await serviceResources({ ...context, db: work.tx }, [id])
    const project: Project = { ...made, id, icon: '', is_template: false, is_member_of: true }
    return { body: representProject(project, services(id)), location: `projects/${id}` }
  },
})

/** Who may not create any project, and why. */
function refusalOf(viewer: Viewer, { project_creation }: Settings): ApiError | undefined {
  if (viewer.is_site_admin) return undefined
  if (viewer.is_restricted) return new ApiError('permission_denied', { cause: 'restricted_account' })
  return project_creation === 'site_admins' ? refusedTo(viewer, 'site_admin') : undefined
}

/** Problems of the input alone. */
function faultsOf({ shortname, label, template_id, xml_template_name, from_archive }: NewProject): Problem[] {
  const fault = faultOfShortName(shortname)
  const length = Array.from(label).length
  const faults: Problem[] = []
  if (fault) faults.push({ reason: 'name_invalid', path: 'shortname', rule: fault })
  if (length < LABEL.minimum || length > LABEL.maximum)
    faults.push({
      reason: 'parameter_out_of_range',
      path: 'label',
      rule: length < LABEL.minimum ? 'min_length' : 'max_length',
      allowed: LABEL,
    })
  if (template_id !== undefined) return faults
  if (xml_template_name !== undefined)
    return [...faults, { reason: 'reference_unknown', path: 'xml_template_name', rule: 'exists' }]
  if (from_archive)
    return [...faults, { reason: 'parameter_not_allowed', path: 'from_archive', rule: 'one_of', allowed: [] }]
  return [...faults, { reason: 'parameter_required', path: 'template_id', rule: 'required' }]
}

/** Problems with what there is already. */
async function storedFaultsOf(tx: Tx, viewer: Viewer, { shortname, template_id }: NewProject): Promise<Problem[]> {
  const { rows } = await sql<{ is_taken: boolean; has_template: boolean }>`
    select ${isLoginInUse(shortname)}
      or exists (select from project where folded(project.shortname) = folded(${shortname})) as is_taken,
      exists (select from project where project.id = ${template_id ?? null} and project.is_template
        and (project.status = 'system' or (project.status = 'active' and ${mayEnter(viewer)}))) as has_template`.execute(
    tx,
  )
  const [found] = rows
  const faults: Problem[] = []
  if (found?.is_taken) faults.push({ reason: 'name_taken', path: 'shortname', rule: 'unique' })
  if (template_id !== undefined && !found?.has_template)
    faults.push({ reason: 'reference_unknown', path: 'template_id', rule: 'exists' })
  return faults
}

/** Throws the problems, the first of them as the reason; if there are none, whatever else is to be said. */
function refuseAll(problems: readonly Problem[], otherwise?: ApiError): void {
  const [first, ...more] = problems
  if (first) {
    const { reason, ...details } = first
    throw new ApiError<Reason>(reason, more.length === 0 ? details : { ...details, all: problems })
  }
  if (otherwise) throw otherwise
}

/** Of parallel creations by one person each counts those before it. */
async function requireRoomForWaiting(tx: Tx, account: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`waiting projects ${account}`}, 0))`.execute(tx)
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from project where project.created_by = ${account} and project.status = 'pending'`.execute(
    tx,
  )
  if ((rows[0]?.waiting ?? 0) >= MOST_WAITING)
    throw new ApiError('project_quota_reached', { allowed: { maximum: MOST_WAITING } }).with({
      'retry-after': String(HOUR),
    })
}

function accessOf({ is_public, allow_restricted }: NewProject, { restricted_users }: Settings): ProjectAccess {
  if (!restricted_users) return is_public ? 'public' : 'private'
  if (is_public) return allow_restricted ? 'unrestricted' : 'public'
  return allow_restricted ? 'private' : 'private-wo-restr'
}

/** The project and its first member and administrator. */
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

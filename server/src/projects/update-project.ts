import { type Static, Type } from 'typebox'
import { requireSiteAdmin } from '../accounts/auth-errors.ts'
import { writeRoute, idParam } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { SettingValues } from '../platform/operation/settings.ts'
import { requireVersion } from '../platform/wire/etag.ts'
import type { FoundProject } from './find-project.ts'
import { lockAdministeredProject } from './lock-project.ts'
import { recordRightsEvent } from './membership.ts'
import { accessLevels, requireLabel } from './project-input.ts'
import {
  furtherResources,
  MAX_RESERVED_ID,
  type ProjectId,
  type ProjectStatus,
  projectVersion,
  representProject,
} from './project.ts'
import { ProjectFull } from './schemas.ts'
import { serviceResources } from './service-resources.ts'
import { requireWritable } from './writable-project.ts'

const ProjectChanges = Type.Object(
  {
    label: Type.Optional(Type.String({ trim: true, description: '3 to 40 characters.' })),
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
    access: Type.Optional(
      Type.Enum(['public', 'unrestricted', 'private', 'private-wo-restr'], {
        description: '`unrestricted` and `private-wo-restr` only if the platform has restricted users.',
      }),
    ),
    icon: Type.Optional(Type.String({ trim: true, description: 'One emoji; an empty text removes it.' })),
    is_template: Type.Optional(
      Type.Boolean({ description: 'Offered to everyone who may enter it and create projects.' }),
    ),
    status: Type.Optional(
      Type.Enum(['active', 'archived', 'suspended'], {
        description:
          'Project administrators archive and reactivate. Site administrators also suspend, reactivate suspended projects and approve pending ones.',
      }),
    ),
  },
  { title: 'ProjectChanges' },
)
type ProjectChanges = Static<typeof ProjectChanges>

export const updateProject = writeRoute({
  method: 'PATCH',
  path: '/projects/:id',
  operationId: 'updateProject',
  summary: 'Change a project: label, description, icon, access, status, or whether it is a template.',
  description:
    'Changes how a project is shown and who sees it, archives it, or makes it active again. Project administrators; only site administrators suspend. An archived project takes no other change: 403 `project_archived`.',
  access: 'signed_in',
  action: 'project.update',
  notifies: true,
  params: { id: idParam<ProjectId>('The project.') },
  body: ProjectChanges,
  answer: ProjectFull,
  versioned: true,
  async handle({ context, viewer, params: { id }, body, headers }, work) {
    const project = await lockAdministeredProject(work.tx, viewer, id)
    const changes = findChanges(project, body)
    requireStatusRight(viewer, project.status, changes.status)
    requireVersion(headers['if-match'], projectVersion(project))
    requireRules(project, changes, context.settings.current)

    const changed = Object.keys(changes).length > 0
    const after = { ...project, ...changes, version: project.version + (changed ? 1 : 0) }
    if (changed) {
      await work.tx
        .updateTable('project')
        // Cached trackers contain label, icon and status, so the epoch changes with every member.
        .set((row) => ({ ...changes, version: after.version, rights_epoch: row('rights_epoch', '+', 1) }))
        .where('id', '=', id)
        .execute()
      const object = `projects/${id}`
      const current = new Map<string, unknown>(Object.entries(project))
      const before = Object.fromEntries(Object.keys(changes).map((name) => [name, current.get(name)]))
      await work.change({ object, op: 'update', project_id: id, before, after: changes })
      const payload = { changed: Object.keys(changes) }
      await work.recordEvent({ type: 'project.changed', object, project_id: id, payload })
      if (changes.status !== undefined || changes.access !== undefined) await recordRightsEvent(work, id, 'everybody')
    }
    const services = await serviceResources({ ...context, db: work.tx }, [id])
    const shown = representProject(after, services(id), furtherResources(viewer, after))
    return { body: shown, version: projectVersion(after) }
  },
})

/** The effective changes: members that repeat the current value are dropped. */
function findChanges(project: FoundProject, given: ProjectChanges): ProjectChanges {
  const current = new Map<string, unknown>(Object.entries(project))
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => current.get(name) !== value))
}

function requireStatusRight(viewer: Viewer, before: ProjectStatus, after: ProjectStatus | undefined): void {
  const isArchiving = [before, after].every((status) => status === 'active' || status === 'archived')
  if (after !== undefined && !isArchiving) requireSiteAdmin(viewer)
}

function requireRules(project: FoundProject, { status, ...others }: ProjectChanges, settings: SettingValues): void {
  if (project.id <= MAX_RESERVED_ID) throw new ApiError('project_protected')
  // One request may reactivate the project and change it.
  if (Object.keys(others).length > 0 && status !== 'active') requireWritable(project)
  const { label, access, icon } = others
  if (label !== undefined) requireLabel(label)
  if (icon !== undefined && !isIcon(icon)) throw new ApiError('parameter_invalid', { path: 'icon', rule: 'pattern' })
  const allowed = accessLevels(settings)
  if (access !== undefined && !allowed.includes(access))
    throw new ApiError('parameter_not_allowed', { path: 'access', rule: 'one_of', allowed })
}

/** `RGI_Emoji` has sequences such as flags; some old symbols are emoji only with a selector that keyboards omit. */
const EMOJI = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic})$/v

function isIcon(text: string): boolean {
  return text === '' || EMOJI.test(text)
}

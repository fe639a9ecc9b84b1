import { Type } from 'typebox'
import type { ProjectServiceId } from '../project.ts'

export const ProjectService = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    service_url: Type.String(),
    name: Type.String(),
    label: Type.String(),
    is_enabled: Type.Boolean(),
    icon: Type.String(),
    is_custom: Type.Boolean(),
  },
  { title: 'ProjectService' },
)

export interface ProjectServiceRow {
  id: ProjectServiceId
  name: string
  label: string
  is_enabled: boolean
  icon: string
  is_custom: boolean
  url: string | null
}

const PAGES = new Map([
  ['summary', ''],
  ['plugin_tracker', '/trackers'],
  ['plugin_svn', '/repositories'],
  ['admin', '/admin'],
])

/** Without these services, a project could be neither viewed nor administered. */
const ALWAYS_ON = new Set(['summary', 'admin'])

export function isSwitchable({ name }: { name: string }): boolean {
  return !ALWAYS_ON.has(name)
}

export function representService(
  { id, name, label, is_enabled, icon, is_custom, url }: ProjectServiceRow,
  project: { shortname: string },
) {
  const page = PAGES.get(name)
  const service_url = url ?? (page === undefined ? '' : `/projects/${project.shortname}${page}`)
  return { id, uri: `project_services/${id}`, service_url, name, label, is_enabled, icon, is_custom }
}

import { MAX_RESERVED_ID } from '../project.ts'

/** The redirect path of a reference. The default template provides keywords to all projects, so its id is omitted. */
export function gotoPath(keyword: string, value: string, project_id: number): string {
  const path = `/goto?key=${encodeURIComponent(keyword)}&val=${encodeURIComponent(value)}`
  return project_id === MAX_RESERVED_ID ? path : `${path}&group_id=${project_id}`
}

import { RESERVED } from '../project.ts'

/** The path that leads to what a reference names. The default template lends its keywords to all, so it is not named. */
export function gotoPath(keyword: string, value: string, project_id: number): string {
  const path = `/goto?key=${encodeURIComponent(keyword)}&val=${encodeURIComponent(value)}`
  return project_id === RESERVED ? path : `${path}&group_id=${project_id}`
}

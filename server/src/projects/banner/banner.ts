import { Type } from 'typebox'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { ProjectId } from '../project.ts'
import { findWritableProject } from '../writable-project.ts'

export const Banner = Type.Object({
  message: Type.String({ minLength: 1, maxLength: 5000, pattern: '\\S', description: 'Plain text, not empty.' }),
})

/** Sets or removes the banner of a project. */
export async function writeBanner(
  work: WriteContext,
  viewer: Viewer,
  id: ProjectId,
  banner: string | null,
): Promise<void> {
  const project = await findWritableProject(work.tx, viewer, id)
  if (project.banner === banner) return
  await work.tx
    .updateTable('project')
    .set((row) => ({ banner, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await work.change({
    object: `projects/${id}/banner`,
    op: banner === null ? 'delete' : project.banner === null ? 'create' : 'update',
    project_id: id,
    before: { message: project.banner },
    after: { message: banner },
  })
  await work.recordEvent({
    type: 'project.changed',
    object: `projects/${id}`,
    project_id: id,
    payload: { changed: ['banner'] },
  })
}

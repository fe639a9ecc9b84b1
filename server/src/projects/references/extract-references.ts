import { Type } from 'typebox'
import type { Config } from '../../platform/operation/config.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findProject } from '../find-project.ts'
import type { ProjectId } from '../project.ts'
import { findReferences, type FoundReference } from './find-references.ts'
import { gotoPath } from './goto-path.ts'

const MAX_TEXT_LENGTH = 1_000_000

export const extractReferences = readRoute({
  method: 'POST',
  path: '/projects/:id/extract_references',
  operationId: 'extractReferences',
  summary: 'Find the references in a text.',
  description:
    'Finds references such as `bug #12` in a text, and the address of each. Everyone who may see the project. References to objects that do not exist or are hidden look the same.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project that the text belongs to.') },
  body: Type.Object({ text: Type.String({ maxLength: MAX_TEXT_LENGTH }) }),
  answer: Type.Array(
    Type.Object({
      text: Type.String(),
      link: Type.String(),
      context: Type.String({ description: 'The preceding word that names an action, as in `closes art #7`.' }),
    }),
  ),
  async handle({ context, viewer, params, body }) {
    const project = await findProject(context.db, viewer, params.id)
    const found = await findReferences(context, viewer, project, body.text)
    return {
      body: found.map((reference) => ({
        text: reference.text,
        link: gotoLink(context.config, reference),
        context: reference.context,
      })),
    }
  },
})

/** The redirect address of a reference, which does not depend on the address of its page. */
function gotoLink({ WAYPOST_PUBLIC_URL }: Config, { keyword, value, project_id }: FoundReference): string {
  return new URL(gotoPath(keyword, value, project_id), WAYPOST_PUBLIC_URL).href
}

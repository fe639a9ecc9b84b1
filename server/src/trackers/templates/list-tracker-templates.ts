import { Type } from 'typebox'
import { cutPage } from '../../platform/http/pages.ts'
import { readRoute } from '../../platform/http/route.ts'
import { DefinitionBody } from '../definition/schemas.ts'
import { localizeTemplate } from './localize-template.ts'
import { TEMPLATE_NAMES, TRACKER_TEMPLATES } from './tracker-templates.ts'

const TrackerTemplateAnswer = Type.Object(
  {
    name: Type.Enum([...TEMPLATE_NAMES], { description: 'The name for `template` of a new tracker.' }),
    definition: DefinitionBody,
  },
  { title: 'TrackerTemplate' },
)

export const listTrackerTemplates = readRoute({
  method: 'GET',
  path: '/tracker_templates',
  operationId: 'listTrackerTemplates',
  summary: 'List the templates for new trackers, each with its whole definition.',
  description:
    'Lists what `template` of a new tracker can name: bugs, tasks, scrum, requirements, risks, support; labels are in the language of the caller. Everyone. The definition can be changed and used for a new tracker instead of the name.',
  access: 'everyone',
  pages: { default: 50, min: 0, max: 50 },
  answer: Type.Array(TrackerTemplateAnswer),
  answerOptions: { isAlreadyCut: true },
  async handle({ language, page: { after, offset, limit } }) {
    const from = after ? TRACKER_TEMPLATES.findIndex(({ name }) => name === after[0]) + 1 : offset
    const { rows, next, placeAt } = cutPage(TRACKER_TEMPLATES.slice(from), limit, ({ name }) => [name])
    const body = rows.map(({ name, definition }) => ({ name, definition: localizeTemplate(definition, language) }))
    return { body, size: TRACKER_TEMPLATES.length, next, placeAt }
  },
})

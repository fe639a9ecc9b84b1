import { Type } from 'typebox'
import { findPeopleByName } from '../../accounts/users/find-people-by-name.ts'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { representUserMinimal } from '../../accounts/users/user.ts'
import { isStatementTimeout } from '../../platform/database/database-errors.ts'
import { runExpensive } from '../../platform/http/query-cost.ts'
import { readRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findSearchedProject } from './find-searched-project.ts'
import { parseKeywords } from './keywords.ts'
import { QuickArtifact, QuickProject, type QuickQuery, QuickTracker } from './quick-kind.ts'
import { findQuickProjects } from './quick-projects.ts'
import { foldTerms, isIndexed, searchWords } from './search-terms-sql.ts'

const DEFAULT_HITS_PER_KIND = 8
const MAX_HITS_PER_KIND = 20
const KINDS = ['artifacts', 'trackers', 'projects', 'people'] as const

export const quickSearch = readRoute({
  method: 'GET',
  path: '/search',
  operationId: 'quickSearch',
  summary: 'Find artifacts, trackers, projects and people while a query is typed.',
  description:
    'For command palettes: the best matches of each kind, without a total; `POST /search` finds and counts all of them. Everyone; each caller finds only what they may read. An empty query, more than 200 characters, and an unknown project are refused.',
  access: 'everyone',
  query: {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      trim: true,
      description:
        'Beginnings of words and `"phrases"` that must all match; or an id, `#105` or `bug #105`. Words of fewer than three letters are searched in titles and names only.',
    }),
    project: Type.Optional(Type.Integer({ description: 'Only artifacts and trackers of this project.' })),
    only: Type.Optional(Type.Enum(KINDS, { description: 'Only this kind; the lists of the others are empty.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_HITS_PER_KIND,
        default: DEFAULT_HITS_PER_KIND,
        description: 'Hits of each kind.',
      }),
    ),
  },
  answer: Type.Object(
    {
      artifacts: Type.Array(QuickArtifact, {
        description: 'Named by the query, then by titles, then by texts; each newest first.',
      }),
      trackers: Type.Array(QuickTracker),
      projects: Type.Array(QuickProject),
      people: Type.Array(UserMinimal),
    },
    { title: 'QuickHits' },
  ),
  async handle({ context, viewer, language, query }) {
    const { query: keywords, project, only, limit = DEFAULT_HITS_PER_KIND } = query
    const given = parseKeywords(keywords).map((term) => ({ ...term, isBeginning: true }))
    const within = project === undefined ? undefined : await findSearchedProject(context.db, viewer, project)
    const terms = await foldTerms(context.db, given)
    const question: QuickQuery = { context, viewer, language, keywords, terms, project: within, limit }
    const find = async <Found>(kind: (typeof KINDS)[number], run: () => Promise<Found[]>) =>
      only === undefined || only === kind ? run() : []
    const words = given.flatMap((term) => term.words)
    const findAll = async () => ({
      artifacts: await find('artifacts', () => context.quickKinds.artifacts(question)),
      trackers: await find('trackers', () => context.quickKinds.trackers(question)),
      projects: await find('projects', () => findQuickProjects(question)),
      people: await find('people', async () =>
        (await findPeopleByName(context, viewer, words, limit)).map((row) => representUserMinimal(context, row)),
      ),
    })
    return { body: await runLimited(findAll, searchWords(terms).some(isIndexed)) }
  },
})

/** Without an indexed word, names and titles are compared one by one, which is limited per client. */
async function runLimited<T>(find: () => Promise<T>, isIndexedQuery: boolean): Promise<T> {
  try {
    return await (isIndexedQuery ? find() : runExpensive(find))
  } catch (error) {
    throw isStatementTimeout(error) ? new ApiError('query_too_expensive') : error
  }
}

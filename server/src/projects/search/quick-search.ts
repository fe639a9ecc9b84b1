import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { findPeopleByName } from '../../accounts/users/find-people-by-name.ts'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { representUserMinimal } from '../../accounts/users/user.ts'
import { readRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../project.ts'
import { findSearchedProject } from './find-searched-project.ts'
import { parseTyped } from './keywords.ts'
import { QuickArtifact, QuickCommit, QuickFile, QuickProject, type QuickQuery, QuickTracker } from './quick-kind.ts'
import { findQuickProjects } from './quick-projects.ts'
import { runLimitedSearch } from './run-limited-search.ts'
import { foldTerms } from './search-terms-sql.ts'

const DEFAULT_HITS_PER_KIND = 8
const MAX_HITS_PER_KIND = 20
const KINDS = ['artifacts', 'trackers', 'projects', 'people', 'files', 'commits'] as const
/** The palette does not show them. */
const ONLY_IF_ASKED: readonly (typeof KINDS)[number][] = ['files', 'commits']

export const quickSearch = readRoute({
  method: 'GET',
  path: '/search',
  operationId: 'quickSearch',
  summary: 'Find artifacts, trackers, projects, people, files and commits while a query is typed.',
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
    project: Type.Optional(
      Type.Integer({
        description: 'Only artifacts and trackers of this project; its members come first among people.',
      }),
    ),
    only: Type.Optional(
      Type.Enum(KINDS, {
        description:
          'Only this kind; the lists of the others are empty. Files and commits are found only if they are asked for.',
      }),
    ),
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
      files: Type.Array(QuickFile, { description: 'Attachments by their names, newest first.' }),
      commits: Type.Array(QuickCommit, { description: 'By their messages, newest first.' }),
    },
    { title: 'QuickHits' },
  ),
  async handle({ context, viewer, language, query }) {
    const { query: keywords, project, only, limit = DEFAULT_HITS_PER_KIND } = query
    const given = parseTyped(keywords)
    const within = project === undefined ? undefined : await findSearchedProject(context.db, viewer, project)
    const terms = await foldTerms(context.db, given)
    const question: QuickQuery = { context, viewer, language, keywords, terms, project: within, limit }
    const find = async <Found>(kind: (typeof KINDS)[number], run: () => Promise<Found[]>) =>
      only === kind || (only === undefined && !ONLY_IF_ASKED.includes(kind)) ? run() : []
    const words = given.flatMap((term) => term.words)
    const findOthers = async () => ({
      trackers: await find('trackers', () => context.quickKinds.trackers(question)),
      projects: await find('projects', () => findQuickProjects(question)),
      people: await find('people', async () =>
        (await findPeopleByName(context, viewer, words, limit, isFellowMember(viewer, within))).map((row) =>
          representUserMinimal(context, row),
        ),
      ),
      files: await find('files', () => context.quickKinds.files(question)),
      commits: await find('commits', () => context.quickKinds.commits(question)),
    })
    const findAll = async () => {
      const [artifacts, others] = await Promise.all([
        find('artifacts', () => context.quickKinds.artifacts(question)),
        findOthers(),
      ])
      return { artifacts, ...others }
    }
    return { body: await runLimitedSearch(terms, findAll) }
  },
})

/** SQL condition: `account` is a member of this project, and so is the viewer, who may then know it. */
function isFellowMember({ account_id }: Viewer, project: ProjectId | undefined): RawBuilder<boolean> {
  if (project === undefined || account_id === undefined) return sql`false`
  return sql`exists (
    select from project_member one join project_member other on other.project_id = one.project_id
    where one.project_id = ${project} and one.account_id = account.id and other.account_id = ${account_id})`
}

import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { inSnapshot, type Tx } from '../../platform/database/db.ts'
import { cutPage, type Pagination, type KeysetPosition } from '../../platform/http/pages.ts'
import { readRoute } from '../../platform/http/route.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { type Project, type ProjectId, representProjectMinimal } from '../project.ts'
import { ProjectMinimal } from '../schemas.ts'
import { findHits, type Hit } from './find-hits.ts'
import { findSearchedProject } from './find-searched-project.ts'
import { parseKeywords } from './keywords.ts'
import { type SearchQuery, type SearchedKind, SEARCHED_TYPES } from './searched-kind.ts'
import { foldTerms } from './search-terms-sql.ts'

const MIN_KEYWORDS_LENGTH = 2
const MAX_KEYWORDS_LENGTH = 200

const FoundSchema = Type.Object(
  {
    xref: nullable(Type.String()),
    html_url: Type.String(),
    title: nullable(Type.String()),
    color_name: nullable(Type.String()),
    type: Type.Enum(SEARCHED_TYPES),
    per_type_id: Type.Integer(),
    icon_name: Type.String(),
    project: ProjectMinimal,
    quick_links: Type.Array(Type.Unknown()),
    badges: Type.Array(Type.Unknown()),
    cropped_content: nullable(
      Type.String({ description: 'Plain text around the first hit; null if only the title matches.' }),
    ),
  },
  { title: 'Found' },
)

export const search = readRoute({
  method: 'POST',
  path: '/search',
  operationId: 'search',
  summary: 'Find artifacts, projects and repositories by keywords.',
  description:
    'Searches titles, texts, comments and names of attachments by words, phrases and beginnings of words. Everyone; each caller finds only what they may read. Fewer than 2 and more than 200 characters, and unknown projects or trackers, are refused.',
  access: 'everyone',
  body: Type.Object({
    keywords: Type.String({
      minLength: MIN_KEYWORDS_LENGTH,
      maxLength: MAX_KEYWORDS_LENGTH,
      trim: true,
      description: 'Words and `"phrases"` that must all match; the last word also matches as a prefix.',
    }),
    types: Type.Optional(Type.Array(Type.Enum(SEARCHED_TYPES), { minItems: 1 })),
    project: Type.Optional(Type.Integer({ description: 'Only results in this project.' })),
    tracker: Type.Optional(Type.Integer({ description: 'Only artifacts of this tracker.' })),
    is_open: Type.Optional(Type.Boolean({ description: 'Only open artifacts, or only closed ones.' })),
  }),
  bodyRules: {
    check({ keywords }) {
      if (parseKeywords(keywords).length === 0) throw nothingToFind()
    },
  },
  pages: { default: 50, min: 1, max: 50 },
  answer: Type.Array(FoundSchema),
  async handle({ context, viewer, body, page }) {
    const { keywords, types = SEARCHED_TYPES, project, tracker, is_open } = body
    const mark = hash('sha256', JSON.stringify([keywords, types, project, tracker, is_open]), 'base64url').slice(0, 16)
    const after = parseSearchCursor(page, mark)
    return inSnapshot(context.db, async (tx) => {
      const terms = await foldTerms(tx, parseKeywords(keywords))
      const within = project === undefined ? undefined : await findSearchedProject(tx, viewer, project)
      const searchQuery: SearchQuery = { context, tx, viewer, keywords, terms, project: within, tracker, is_open }
      for (const kind of context.searchedKinds) await kind.check?.(searchQuery)
      const kinds = context.searchedKinds.filter(({ type }) => types.includes(type))
      const { size, rows } = await findHits(searchQuery, kinds, { ...page, after })
      const cut = cutPage(rows, page.limit, ({ place }): KeysetPosition => [mark, ...place])
      return { body: await representHits(searchQuery, kinds, cut.rows), size, next: cut.next }
    })
  },
})

function nothingToFind(): ApiError {
  const allowed = { minimum: MIN_KEYWORDS_LENGTH, maximum: MAX_KEYWORDS_LENGTH }
  return new ApiError('parameter_out_of_range', { path: 'keywords', rule: 'min_length', allowed })
}

function parseSearchCursor({ after }: Pagination, mark: string): KeysetPosition | undefined {
  if (!after) return undefined
  const [marked, ...place] = after
  if (marked !== mark) throw new ApiError('parameter_conflict', { path: 'cursor', cause: 'cursor_of_another_query' })
  return place
}

async function representHits(searchQuery: SearchQuery, kinds: readonly SearchedKind[], hits: readonly Hit[]) {
  const projects = await findProjectsOfHits(searchQuery.tx, new Set(hits.map(({ project_id }) => project_id)))
  const shown = new Map<string, Awaited<ReturnType<SearchedKind['show']>>>()
  for (const kind of kinds) {
    const ids = hits.filter(({ type }) => type === kind.type).map(({ id }) => id)
    if (ids.length > 0) shown.set(kind.type, await kind.show(searchQuery, ids))
  }
  return hits.map(({ type, id, project_id }) => {
    const [found, project] = [shown.get(type)?.get(id), projects.get(project_id)]
    if (!found || !project) throw new Error(`A hit of the same snapshot cannot be shown: ${type} ${id}.`)
    const { xref, html_url, title, color_name, icon_name, cropped_content } = found
    return {
      xref,
      html_url,
      title,
      color_name,
      type,
      per_type_id: id,
      icon_name,
      project: representProjectMinimal(project),
      quick_links: [],
      badges: [],
      cropped_content,
    }
  })
}

async function findProjectsOfHits(tx: Tx, ids: ReadonlySet<ProjectId>): Promise<Map<ProjectId, Project>> {
  const { rows } = await sql<Project>`
    select project.id, project.shortname, project.label, project.icon, project.status, project.access, project.is_template
    from project where project.id = any(${[...ids]}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

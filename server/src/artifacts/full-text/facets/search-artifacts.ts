import { Type } from 'typebox'
import { readRoute } from '../../../platform/http/route.ts'
import { findSearchedProject } from '../../../projects/search/find-searched-project.ts'
import { parseTyped } from '../../../projects/search/keywords.ts'
import { QuickArtifact, type QuickQuery } from '../../../projects/search/quick-kind.ts'
import { runLimitedSearch } from '../../../projects/search/run-limited-search.ts'
import { foldTerms } from '../../../projects/search/search-terms-sql.ts'
import { findSearchedTracker } from '../../../trackers/find-searched-tracker.ts'
import { findHeadsInOrder, representHit } from '../represent-hit.ts'
import { buildSearchSnippets } from '../search-snippets.ts'
import { collectMatches, MAX_MATCHES } from './collect-matches.ts'
import { countFacets, type FacetedMatch, type FacetFilter, passesFilter } from './count-facets.ts'
import { representFacets, SearchFacets } from './represent-facets.ts'

/** By rank (`RANK`). */
const MATCHED = ['id', 'title', 'text'] as const

export const searchArtifacts = readRoute({
  method: 'GET',
  path: '/search/artifacts',
  operationId: 'searchArtifacts',
  summary: 'Find artifacts by words, with counts by project, tracker, status, assignee and date.',
  description:
    `Finds artifacts by beginnings of words in titles, texts and comments, and counts the matches of each facet; of more than ${MAX_MATCHES} matches, the newest. ` +
    'Everyone; each caller finds only what they may read. An empty query, more than 200 characters, and unknown projects or trackers are refused.',
  access: 'everyone',
  query: {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      trim: true,
      description:
        'As in `GET /search`: beginnings of words and `"phrases"` that must all match, an id or a reference.',
    }),
    project: Type.Optional(Type.Integer({ description: 'Only artifacts of this project.' })),
    tracker: Type.Optional(Type.Integer({ description: 'Only artifacts of this tracker.' })),
    is_open: Type.Optional(Type.Boolean({ description: 'Only open artifacts, or only closed ones.' })),
    assignee: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only artifacts of this assignee; 0: only those without an assignee.' }),
    ),
    changed_within: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: 'Only artifacts changed in this number of days.' }),
    ),
    sort: Type.Optional(
      Type.Enum(['relevance', 'newest'], {
        description: '`relevance`: by where the words are, the default; `newest`: the last changed first.',
      }),
    ),
  },
  pages: { default: 20, min: 1, max: 50 },
  answer: Type.Object(
    {
      artifacts: Type.Array(QuickArtifact, {
        description: 'By default those named by the query, then by titles, then by texts.',
      }),
      is_complete: Type.Boolean({ description: `False if there are more than ${MAX_MATCHES} matches.` }),
      facets: SearchFacets,
    },
    { title: 'FacetedHits' },
  ),
  async handle({ context, viewer, language, query, page }) {
    const { query: keywords, is_open, assignee, changed_within } = query
    const { db } = context
    const project = query.project === undefined ? undefined : await findSearchedProject(db, viewer, query.project)
    const tracker = query.tracker === undefined ? undefined : await findSearchedTracker(db, viewer, query.tracker)
    const filter: FacetFilter = { project, tracker, is_open, assignee, changed_within }
    const terms = await foldTerms(db, parseTyped(keywords))
    const everywhere: QuickQuery = { context, viewer, language, keywords, terms, project: undefined, limit: page.limit }
    const now = context.clock.now()
    const passes = (match: FacetedMatch) => passesFilter(match, filter, now)
    const { all, found } = await runLimitedSearch(terms, async () => {
      const counted = await collectMatches(everywhere, () => true)
      if (counted.isComplete || isEmpty(filter))
        return { all: counted, found: { ...counted, matches: counted.matches.filter(passes) } }
      return { all: counted, found: await collectMatches({ ...everywhere, project, tracker }, passes) }
    })
    const sort = query.sort === 'newest' ? byChange : byRelevance
    const shown = sort(found.matches).slice(page.offset, page.offset + page.limit)
    const facets = await representFacets(context, countFacets(all.matches, filter, now), all.matches)
    return {
      body: { artifacts: await representMatches(everywhere, shown), is_complete: found.isComplete, facets },
      size: found.matches.length,
      next: found.matches.length > page.offset + page.limit ? shown.slice(-1).map(({ id }) => id) : undefined,
    }
  },
})

function isEmpty(filter: FacetFilter): boolean {
  return Object.values(filter).every((value) => value === undefined)
}

function byRelevance(matches: readonly FacetedMatch[]): FacetedMatch[] {
  return matches.toSorted(
    (one, other) => one.rank - other.rank || other.changed_on.getTime() - one.changed_on.getTime() || other.id - one.id,
  )
}

function byChange(matches: readonly FacetedMatch[]): FacetedMatch[] {
  return matches.toSorted((one, other) => other.changed_on.getTime() - one.changed_on.getTime() || other.id - one.id)
}

async function representMatches(query: QuickQuery, matches: readonly FacetedMatch[]): Promise<QuickArtifact[]> {
  const { context, viewer, terms } = query
  const ranks = new Map(matches.map(({ id, rank }) => [id, rank]))
  const snippets = await buildSearchSnippets({ tx: context.db, viewer, terms }, [...ranks.keys()])
  const found = await findHeadsInOrder(query, [...ranks.keys()])
  return found.map((each) => {
    const { id } = each.artifact
    const matched = MATCHED[ranks.get(id) ?? MATCHED.length - 1] ?? 'text'
    return representHit(query, each, matched, snippets.get(id)?.cropped_content ?? null)
  })
}

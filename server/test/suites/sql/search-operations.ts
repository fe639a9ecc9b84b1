import { TOM } from '../../fixtures/people.ts'
import { BUG_STATUS, BUGS, ORCHARD } from '../../fixtures/seed-ids.ts'
import { BUG_LIST } from './scene.ts'
import type { SqlOperation } from './sql-operation.ts'

const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters).toString()}`

export const SEARCH_OPERATIONS: readonly SqlOperation[] = [
  {
    name: 'list-artifacts',
    runs: 'GET /trackers/{id}/artifacts',
    note: 'The first page of a tracker, with all values.',
    prepare:
      ({ api }) =>
      () =>
        api.get(`${BUG_LIST}?values=all&limit=50`, { as: TOM }),
  },
  {
    name: 'list-artifacts-by-criteria',
    runs: 'GET /trackers/{id}/artifacts?query=…',
    note: 'Criteria on a list and on a text.',
    prepare: ({ api }) => {
      const criteria = { status: BUG_STATUS.open, summary: 'leak' }
      return () => api.get(`${BUG_LIST}${query({ query: JSON.stringify(criteria) })}`, { as: TOM })
    },
  },
  {
    name: 'list-artifacts-by-value',
    runs: 'GET /trackers/{id}/artifacts?query=…',
    note: 'One list value with few hits, in the order of ids.',
    prepare:
      ({ api }) =>
      () =>
        api.get(`${BUG_LIST}${query({ query: JSON.stringify({ status: BUG_STATUS.open }) })}`, { as: TOM }),
  },
  {
    name: 'search-by-query',
    runs: 'GET /trackers/{id}/artifacts?expert_query=…',
    note: 'A query in TQL, sorted by a date.',
    prepare: ({ api }) => {
      const expert_query = `summary = "leaks" AND points > 3 AND status IN ("Open") ORDER BY due DESC`
      return () => api.get(`${BUG_LIST}${query({ expert_query })}`, { as: TOM })
    },
  },
  {
    name: 'query-across-trackers',
    runs: 'GET /crosstracker_query/content',
    note: 'A query in TQL on all trackers of a project.',
    prepare: ({ api }) => {
      const tql_query = "SELECT @pretty_title, @status FROM @project = 'self' WHERE @id > 0 ORDER BY @title"
      return () =>
        api.get(`/crosstracker_query/content${query({ query: JSON.stringify({ project_id: ORCHARD, tql_query }) })}`, {
          as: TOM,
        })
    },
  },
  {
    name: 'search-full-text',
    runs: 'POST /search',
    note: 'A search for words in everything that the caller may see.',
    prepare:
      ({ api }) =>
      () =>
        api.post('/search', { as: TOM, body: { keywords: 'pump leaks' } }),
  },
  {
    name: 'quick-search',
    runs: 'GET /search?query=…&only=artifacts',
    note: 'The command palette: artifacts, while a query is typed. The other kinds run beside them, in any order.',
    prepare:
      ({ api }) =>
      () =>
        api.get('/search?query=pump&only=artifacts', { as: TOM }),
  },
  {
    name: 'search-artifacts',
    runs: 'GET /search/artifacts',
    note: 'The search page: a page of matches, and counts of the facets.',
    prepare:
      ({ api }) =>
      () =>
        api.get('/search/artifacts?query=pump', { as: TOM }),
  },
  {
    name: 'count-groups',
    runs: 'GET /trackers/{id}/artifacts/groups',
    note: 'A chart: the number of artifacts and the sum of points by status.',
    prepare:
      ({ api }) =>
      () =>
        api.get(`${BUG_LIST}/groups${query({ by: 'status', sum: 'points' })}`, { as: TOM }),
  },
  {
    name: 'list-own-artifacts',
    runs: 'GET /users/self/artifacts',
    note: 'The home page of a person.',
    prepare:
      ({ api }) =>
      () =>
        api.get(`/users/self/artifacts${query({ query: JSON.stringify({ submitted_by: true }) })}`, { as: TOM }),
  },
  {
    name: 'get-tracker',
    runs: 'GET /trackers/{id}',
    note: 'The tracker is in the cache of the process.',
    prepare:
      ({ api }) =>
      () =>
        api.get(`/trackers/${BUGS}`, { as: TOM }),
  },
  {
    name: 'load-tracker',
    runs: 'GET /trackers/{id} before another process',
    note: 'The first request to a new process, whose caches are empty.',
    prepare: async ({ startAnother }) => {
      const { api } = await startAnother()
      return () => api.get(`/trackers/${BUGS}`, { as: TOM })
    },
  },
  {
    name: 'list-trackers',
    runs: 'GET /projects/{id}/trackers',
    note: 'The trackers of a project that a member may see.',
    prepare:
      ({ api }) =>
      () =>
        api.get(`/projects/${ORCHARD}/trackers`, { as: TOM }),
  },
  {
    name: 'list-projects',
    runs: 'GET /projects',
    note: 'The projects that a person may enter.',
    prepare:
      ({ api }) =>
      () =>
        api.get('/projects', { as: TOM }),
  },
  {
    name: 'get-project',
    runs: 'GET /projects/{id}',
    note: 'A member opens a project.',
    prepare:
      ({ api }) =>
      () =>
        api.get(`/projects/${ORCHARD}`, { as: TOM }),
  },
  {
    name: 'search-users',
    runs: 'GET /users?query=…',
    note: 'Completion of a name in a field of people.',
    prepare:
      ({ api }) =>
      () =>
        api.get('/users?query=mar', { as: TOM }),
  },
]

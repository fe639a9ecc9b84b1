import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import type { ProjectMinimal, RepositorySettings } from '@waypost/sdk/api'
import { api, read } from '../api.ts'

export interface KnownRepository {
  readonly id: number
  readonly name: string
  readonly svn_url: string
  readonly project: ProjectMinimal
}

/** A path at a revision; without one, the newest. */
export interface RepositoryLocation {
  readonly id: number
  readonly path: string
  readonly rev: number | undefined
}

/** Null: the repository does not exist, or the viewer may not see it. */
export const repositoryQuery = (shortname: string, name: string) =>
  queryOptions({
    queryKey: ['repositories', shortname, name],
    staleTime: 60_000,
    queryFn: async (): Promise<KnownRepository | null> => {
      const [project] = await read(api.call('GET /projects', { query: { query: JSON.stringify({ shortname }) } }))
      if (!project) return null
      const query = { query: JSON.stringify({ name }) }
      const { repositories } = await read(api.call('GET /projects/{id}/svn', { path: { id: project.id }, query }))
      return repositories[0] ?? null
    },
  })

/** `settings` is null without administrator permission; the ETag is their version. */
export const settingsQuery = (id: number) =>
  queryOptions({
    queryKey: ['svn', id, 'settings'],
    queryFn: async (): Promise<{ settings: RepositorySettings | null; etag: string | undefined }> => {
      const answer = await api.call('GET /svn/{id}', { path: { id } })
      if (!answer.ok) throw new Refusal(answer)
      return { settings: answer.body.settings ?? null, etag: answer.etag }
    },
  })

const revOf = (rev: number | undefined) => (rev === undefined ? {} : { rev: String(rev) })

const TREE_PAGE_SIZE = 1_000

export const treeQuery = ({ id, path, rev }: RepositoryLocation) =>
  infiniteQueryOptions({
    queryKey: ['svn', id, 'tree', path, rev],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) => {
      const query = { path, ...revOf(rev), limit: TREE_PAGE_SIZE, offset }
      const answer = await api.call('GET /svn/{id}/tree', { path: { id }, query })
      if (!answer.ok) throw new Refusal(answer)
      return { entries: answer.body, size: sizeOf(answer) }
    },
    getNextPageParam: ({ size }, _, offset) => (offset + TREE_PAGE_SIZE < size ? offset + TREE_PAGE_SIZE : undefined),
  })

export const fileQuery = ({ id, path, rev }: RepositoryLocation) =>
  queryOptions({
    queryKey: ['svn', id, 'file', path, rev],
    queryFn: async () => {
      const file = await read(api.call('GET /svn/{id}/file', { path: { id }, query: { path, ...revOf(rev) } }))
      if (typeof file === 'string') throw new TypeError('Bytes came where a description was asked for.')
      return file
    },
  })

const BLAME_PAGE_SIZE = 1_000

export const blameQuery = ({ id, path, rev }: RepositoryLocation) =>
  infiniteQueryOptions({
    queryKey: ['svn', id, 'blame', path, rev],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) => {
      const query = { path, ...revOf(rev), limit: BLAME_PAGE_SIZE, offset }
      const answer = await api.call('GET /svn/{id}/blame', { path: { id }, query })
      if (!answer.ok) throw new Refusal(answer)
      return { lines: answer.body.lines, size: sizeOf(answer) }
    },
    getNextPageParam: ({ size }, _, offset) => (offset + BLAME_PAGE_SIZE < size ? offset + BLAME_PAGE_SIZE : undefined),
  })

export interface LogFilter {
  readonly author?: string
  readonly text?: string
}

const LOG_PAGE_SIZE = 50

/** The history of a path; for the whole repository it can be filtered by author and message. */
export const logQuery = ({ id, path, rev }: RepositoryLocation, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['svn', id, 'log', path, rev, filter],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) => {
      const isFiltered = filter.author !== undefined || filter.text !== undefined
      const page = { limit: LOG_PAGE_SIZE, offset }
      const answer = isFiltered
        ? await api.call('GET /svn/{id}/revisions', { path: { id }, query: { ...filter, ...page } })
        : await api.call('GET /svn/{id}/log', { path: { id }, query: { path, ...revOf(rev), ...page } })
      if (!answer.ok) throw new Refusal(answer)
      return { revisions: answer.body, size: sizeOf(answer) }
    },
    getNextPageParam: ({ size }, _, offset) => (offset + LOG_PAGE_SIZE < size ? offset + LOG_PAGE_SIZE : undefined),
  })

export const revisionQuery = (id: number, revision: number) =>
  queryOptions({
    queryKey: ['svn', id, 'revisions', revision],
    queryFn: () => read(api.call('GET /svn/{id}/revisions/{rev}', { path: { id, rev: revision } })),
  })

/** Undefined: the repository is empty. */
export const youngestQuery = (id: number) =>
  queryOptions({
    queryKey: ['svn', id, 'youngest'],
    queryFn: async () => {
      const [newest] = await read(api.call('GET /svn/{id}/revisions', { path: { id }, query: { limit: 1 } }))
      return newest?.revision ?? 0
    },
  })

export const diffQuery = (id: number, revision: number) =>
  queryOptions({
    queryKey: ['svn', id, 'diff', revision],
    queryFn: () => read(api.call('GET /svn/{id}/diff', { path: { id }, query: { to: String(revision) } })),
  })

/** The URL of the raw content, for a download. */
export function rawPath({ id, path, rev }: RepositoryLocation): string {
  const query = new URLSearchParams({ path, ...revOf(rev), raw: 'true' })
  return `/svn/${id}/file?${query.toString()}`
}

import { useParams, useSearch } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import type { KnownRepository, RepositoryLocation } from './repository-queries.ts'

export const RepositoryContext = createContext<KnownRepository | undefined>(undefined)

/** The repository of the address, provided by the frame around its screens. */
export function useRepository(): KnownRepository {
  const repository = useContext(RepositoryContext)
  if (!repository) throw new Error('There is no repository around this screen.')
  return repository
}

/** The path and the revision of the address. */
export function useRepositoryLocation(): RepositoryLocation {
  const { id } = useRepository()
  const { _splat = '' } = useParams({ strict: false })
  const { rev } = useSearch({ strict: false })
  return { id, path: `/${_splat.split('/').filter(Boolean).join('/')}`, rev }
}

/** Builds the route parameters of a path in this repository. */
export function useParamsOf(): (path?: string) => { shortname: string; name: string; _splat: string } {
  const { project, name } = useRepository()
  return (path = '/') => ({ shortname: project.shortname, name, _splat: path.slice(1) })
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** All ancestors of a path and the path itself, without the root. */
export function ancestorPaths(path: string): string[] {
  const segments = path.split('/').filter(Boolean)
  return segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`)
}

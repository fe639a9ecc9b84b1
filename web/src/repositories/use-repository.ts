import { useParams, useSearch } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import type { KnownRepository, Place } from './repository-queries.ts'

export const RepositoryContext = createContext<KnownRepository | undefined>(undefined)

/** The one of the address; the frame around every screen of it has found it. */
export function useRepository(): KnownRepository {
  const repository = useContext(RepositoryContext)
  if (!repository) throw new Error('There is no repository around this screen.')
  return repository
}

/** Path and revision of the address. */
export function usePlace(): Place {
  const { id } = useRepository()
  const { _splat = '' } = useParams({ strict: false })
  const { rev } = useSearch({ strict: false })
  return { id, path: `/${_splat.split('/').filter(Boolean).join('/')}`, rev }
}

/** The parameters of an address within the repository. */
export function useParamsOf(): (path?: string) => { shortname: string; name: string; _splat: string } {
  const { project, name } = useRepository()
  return (path = '/') => ({ shortname: project.shortname, name, _splat: path.slice(1) })
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Each path above and including this one, without the root. */
export function pathsOf(path: string): string[] {
  const segments = path.split('/').filter(Boolean)
  return segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`)
}

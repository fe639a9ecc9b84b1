import { useNavigate } from '@tanstack/react-router'
import { readTyped } from './read-typed.ts'

/** Opens the search page with what is typed, in the project if one is given. */
export function useAllResults(typed: string, project: number | undefined): () => void {
  const navigate = useNavigate()
  const { query: q } = readTyped(typed)
  const search = { ...(q !== '' && { q }), ...(project !== undefined && { project }) }
  return () => void navigate({ to: '/search', search })
}

import { useQuery } from '@tanstack/react-query'
import { NoProjectsPanel } from '../projects/no-projects.tsx'
import { useProjectCreation } from '../projects/project-creation.ts'
import { lazyPart } from '../design/lazy-part.tsx'
import { checklistQuery } from './checklist-query.ts'

const Checklist = lazyPart(async () => (await import('./checklist.tsx')).Checklist)

/** The first steps, for those who may create projects, until they are done or dismissed. */
export function Start() {
  const creation = useProjectCreation()
  const mayCreate = creation === 'direct' || creation === 'approval'
  const { data: isOver } = useQuery({ ...checklistQuery, enabled: mayCreate })
  if (creation === 'denied' || isOver === true) return <NoProjectsPanel />
  if (isOver !== false) return null
  return <Checklist />
}

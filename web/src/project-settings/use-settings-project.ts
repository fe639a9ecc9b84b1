import { queryOptions } from '@tanstack/react-query'
import { type Failure, Refusal } from '@waypost/sdk/answer'
import type { Project, ProjectChanges } from '@waypost/sdk/api'
import { createContext, useContext } from 'react'
import { api } from '../api.ts'
import { text } from '../projects/messages.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'

export const SettingsProjectContext = createContext<Project | undefined>(undefined)

/** The project of the address, provided by the frame around its settings. */
export function useSettingsProject(): Project {
  const project = useContext(SettingsProjectContext)
  if (!project) throw new Error('There is no project around this screen.')
  return project
}

/** One project with its version, which a change names. */
export const projectDetailsQuery = (id: number) =>
  queryOptions({
    queryKey: ['projects', id, 'details'],
    queryFn: async () => {
      const answer = await api.call('GET /projects/{id}', { path: { id } })
      if (!answer.ok) throw new Refusal(answer)
      return { project: answer.body, etag: answer.etag }
    },
  })

/** Changes a project; the message offers undo. Returns the refusal, if any. */
export async function saveProject(
  before: Project,
  changes: ProjectChanges,
  onUndone?: () => void,
): Promise<Failure | undefined> {
  const { id } = before
  const query = projectDetailsQuery(id)
  const { etag } = await queryClient.ensureQueryData(query)
  const answer = await api.call('PATCH /projects/{id}', {
    path: { id },
    body: changes,
    ...(etag !== undefined && { ifMatch: etag }),
  })
  if (answer.ok) {
    queryClient.setQueryData(query.queryKey, { project: answer.body, etag: answer.etag })
    const undo = onUndone && (() => void undoChanges(answer.body, earlierValues(before, changes), onUndone))
    showToast(text('saved'), undo ? { undo } : {})
  }
  // Also after a refusal: on a version conflict the next attempt needs the current version.
  await queryClient.invalidateQueries({ queryKey: ['projects'] })
  return answer.ok ? undefined : answer
}

async function undoChanges(project: Project, earlier: ProjectChanges, onUndone: () => void): Promise<void> {
  const refused = await saveProject(project, earlier)
  if (refused) showRefusal(refused)
  else onUndone()
}

function earlierValues(before: Project, changes: ProjectChanges): ProjectChanges {
  const { label_without_icon: label, description, icon, access, is_template } = before
  const values = {
    label,
    description,
    icon,
    access,
    is_template,
    status: before.status === 'archived' ? 'archived' : 'active',
  } as const
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in changes))
}

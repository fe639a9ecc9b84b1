import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Watch } from '@waypost/sdk/api'
import { useSession } from '../accounts/session.ts'
import { api, read } from '../api.ts'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { Panel } from '../design/page.tsx'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../shell/toasts.ts'
import { text } from './messages.ts'

type Level = Watch['level']

const LEVELS = ['all', 'status', 'mentions', 'none'] as const satisfies readonly Level[]
const INHERITED = 'inherited'

const projectWatchQuery = (id: number) =>
  queryOptions({
    queryKey: ['projects', id, 'watch'],
    queryFn: () => read(api.call('GET /projects/{id}/watch', { path: { id } })),
  })

/** The notification level for everything in a project; without a choice, that of the account applies. */
export function WatchProject({ project }: { readonly project: number }) {
  const { data: session } = useSession()
  const { data: watch } = useQuery({ ...projectWatchQuery(project), enabled: Boolean(session) })
  if (!session) return null
  const own = watch?.inherited_from === null ? watch.level : undefined
  return (
    <Panel title={text('watch_project')}>
      <ChoiceMenu
        label={text('watch_project.label')}
        isBare
        isWide
        hint={
          watch && own === undefined ? text('watch_project.as', { level: text(`level.${watch.level}`) }) : undefined
        }
        value={own ?? INHERITED}
        options={[
          { value: INHERITED, label: text('watch_project.inherited') },
          ...LEVELS.map((level) => ({ value: level, label: text(`level.${level}`) })),
        ]}
        onChange={(chosen) =>
          void chooseLevel(
            project,
            LEVELS.find((level) => level === chosen),
            { before: own },
          )
        }
      />
    </Panel>
  )
}

/** Undefined removes the choice. */
async function chooseLevel(
  id: number,
  level: Level | undefined,
  undoable?: { readonly before: Level | undefined },
): Promise<void> {
  const answer =
    level === undefined
      ? await api.call('DELETE /projects/{id}/watch', { path: { id } })
      : await api.call('PUT /projects/{id}/watch', { path: { id }, body: { level } })
  await queryClient.invalidateQueries(projectWatchQuery(id))
  if (!answer.ok) return showRefusal(answer)
  const done =
    level === undefined ? text('watch_project.off') : text('watch_project.on', { level: text(`level.${level}`) })
  showToast(done, undoable ? { undo: () => void chooseLevel(id, undoable.before) } : {})
}

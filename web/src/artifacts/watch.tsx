import { useQuery } from '@tanstack/react-query'
import type { Watch as WatchLevel } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../shell/toasts.ts'
import { text } from './messages.ts'
import { watchQuery } from './artifact-queries.ts'
import styles from './artifact-properties.module.css'
import { showRefusal } from '../shell/show-refusal.ts'
import { Watchers, watchersQuery } from './watchers.tsx'

type Level = WatchLevel['level']

const LEVELS = ['all', 'status', 'mentions', 'none'] as const satisfies readonly Level[]
const INHERITED = 'inherited'

/** The notification level; without a choice, that of the tracker, the project or the account applies. */
export function WatchControl({ id }: { id: number }) {
  const { data: watch } = useQuery(watchQuery(id))
  return (
    <section aria-label={text('watch.title')}>
      <h2 className={styles['heading']}>{text('watch.title')}</h2>
      <ChoiceMenu
        label={text('watch.label')}
        isBare
        isWide
        hint={watch ? hintOf(watch) : '\u00A0' /* Keeps the line of the hint, which most artifacts have. */}
        value={watch === undefined || watch.inherited_from !== null ? INHERITED : watch.level}
        options={[
          { value: INHERITED, label: text('watch.inherited') },
          ...LEVELS.map((level) => ({ value: level, label: text(`level.${level}`) })),
        ]}
        onChange={(chosen) =>
          void choose(
            id,
            watch,
            LEVELS.find((level) => level === chosen),
          )
        }
      />
      <Watchers id={id} />
    </section>
  )
}

function hintOf({ inherited_from, level }: WatchLevel): string | undefined {
  return inherited_from === null ? undefined : text('watch.as', { level: text(`level.${level}`) })
}

/** Switches between all changes and the inherited level. */
export async function toggleWatch(id: number): Promise<void> {
  const watch = await queryClient.ensureQueryData(watchQuery(id))
  await choose(id, watch, watch.inherited_from === null ? undefined : 'all')
}

/** Undefined removes the watch. */
async function choose(
  id: number,
  before: WatchLevel | undefined,
  level: Level | undefined,
  isUndo = false,
): Promise<void> {
  const { queryKey } = watchQuery(id)
  if (level !== undefined) queryClient.setQueryData(queryKey, { level, inherited_from: null })
  const answer =
    level === undefined
      ? await api.call('DELETE /artifacts/{id}/watch', { path: { id } })
      : await api.call('PUT /artifacts/{id}/watch', { path: { id }, body: { level } })
  await queryClient.invalidateQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey: watchersQuery(id).queryKey })
  if (!answer.ok) return showRefusal(answer)
  const earlier = before?.inherited_from === null ? before.level : undefined
  const what = level === undefined ? text('watch.off') : text('watch.on', { level: text(`level.${level}`) })
  showToast(what, isUndo ? {} : { undo: () => void choose(id, undefined, earlier, true) })
}

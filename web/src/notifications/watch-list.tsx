import { queryOptions, useQuery } from '@tanstack/react-query'
import type { WatchedObject } from '@waypost/sdk/api'
import { X } from 'lucide-react'
import { text } from '../accounts/messages.ts'
import { api, read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { SelectField } from '../design/field.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import rows from '../design/rows.module.css'
import { queryClient } from '../query-client.ts'
import { PageLink } from '../shell/page-link.tsx'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import styles from './watch-list.module.css'

type WatchLevel = WatchedObject['level']

const LEVELS = ['all', 'status', 'mentions', 'none'] as const satisfies readonly WatchLevel[]

const watchesQuery = queryOptions({
  queryKey: ['users', 'self', 'watches'],
  queryFn: () => read(api.call('GET /users/self/watches')),
})

/** Everything for which the viewer has chosen a level of notifications. */
export function WatchList() {
  const { data: watches, error, refetch } = useQuery(watchesQuery)
  return (
    <Panel title={text('watches.title')} lead={text('watches.lead')} count={watches?.length} isList>
      {error && !watches && <RefusalNotice error={error} onRetry={() => void refetch()} />}
      {!watches && !error && <Loading />}
      {watches?.length === 0 && <Empty>{text('watches.none')}</Empty>}
      <ul className={rows['rows']}>
        {watches?.map((watch) => (
          <li key={watch.object} className={styles['watch']}>
            <PageLink href={watch.html_url} dir="auto">
              {watch.xref !== null && <span className={styles['reference']}>{watch.xref} </span>}
              {watch.label}
            </PageLink>
            <SelectField
              isBare
              label={text('watches.level', { name: watch.label })}
              value={watch.level}
              options={LEVELS.map((value) => ({ value, label: text(`level.${value}`) }))}
              onChange={(level) => void setLevel(watch, level)}
            />
            <Button
              kind="icon"
              aria-label={text('watches.remove', { name: watch.label })}
              onPress={() => void setLevel(watch, undefined)}
            >
              <Icon of={X} />
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Undefined removes the watch. */
async function setLevel(watch: WatchedObject, level: WatchLevel | undefined, isUndo = false): Promise<void> {
  const answer = await write(watch.object, level)
  await queryClient.invalidateQueries({ queryKey: watchesQuery.queryKey })
  if (!answer) return
  if (!answer.ok) return showRefusal(answer)
  const name = watch.label
  const what = level === undefined ? text('watches.removed', { name }) : text('saved')
  showToast(what, isUndo ? {} : { undo: () => void setLevel(watch, watch.level, true) })
}

function write(object: string, level: WatchLevel | undefined) {
  const [kind, number] = object.split('/')
  const path = { id: Number(number) }
  const body = level && { level }
  if (kind === 'projects')
    return body
      ? api.call('PUT /projects/{id}/watch', { path, body })
      : api.call('DELETE /projects/{id}/watch', { path })
  if (kind === 'trackers')
    return body
      ? api.call('PUT /trackers/{id}/watch', { path, body })
      : api.call('DELETE /trackers/{id}/watch', { path })
  return body
    ? api.call('PUT /artifacts/{id}/watch', { path, body })
    : api.call('DELETE /artifacts/{id}/watch', { path })
}

import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Link2, Maximize2, X } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { useSession } from '../accounts/session.ts'
import { failureOf } from '../api.ts'
import { artifactQuery } from '../artifacts/artifact-queries.ts'
import { PickSearch } from '../artifacts/pick-search.tsx'
import { providePickSearch } from '../artifacts/pick.tsx'
import { useDebounced } from '../artifacts/use-debounced.ts'
import { useLiveArtifact } from '../artifacts/use-live-artifact.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { Empty } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { StatusProvider } from '../field-types/status.tsx'
import { showToast } from '../design/toasts.ts'
import { isTypedInto, useShortcuts } from '../shell/use-shortcuts.ts'
import { type PeekedRow, ListedArtifact } from './listed-artifact.tsx'
import { text } from './messages.ts'
import { PeekEdge } from './peek-edge.tsx'
import styles from './peek-panel.module.css'
import { WatchMenu } from '../notifications/watch-menu.tsx'
import { PeekedArtifact } from './peeked-artifact.tsx'
import { usePeekWidth } from './use-peek-width.ts'

providePickSearch(PickSearch)

export interface PeekPanelProps {
  readonly id: number
  /** The row of the list, which is painted until the artifact has loaded. */
  readonly known?: PeekedRow | undefined
  /** Goes to the next or the previous row; undefined: there is no list. */
  readonly onStep: ((by: 1 | -1) => void) | undefined
  /** Gives the focus back to the list. */
  readonly onLeave: () => void
  readonly onClose: () => void
}

/** Rows that are passed in a hurry are not loaded. */
const LOAD_DELAY_MS = 100

/** An artifact beside the list that names it. */
export function PeekPanel({ id, known, onStep, onLeave, onClose }: PeekPanelProps) {
  const { history } = useRouter()
  const { data: session } = useSession()
  const panel = useRef<HTMLElement>(null)
  const width = usePeekWidth()
  const asked = useDebounced(id, LOAD_DELAY_MS)
  const { data: open, error, refetch } = useQuery({ ...artifactQuery(id), enabled: asked === id })
  useLiveArtifact(id, open?.tracker.id ?? known?.tracker.id)
  const name = open?.artifact.xref ?? known?.artifact.xref ?? text('artifact.numbered', { id })
  const openPage = () => history.push(`/artifacts/${id}`)
  const close = () => {
    if (panel.current?.contains(document.activeElement)) onLeave()
    onClose()
  }
  const press = (event: KeyboardEvent) => {
    const { current, target, currentTarget, key } = { ...event, current: panel.current }
    const isOutside = !(target instanceof Node) || !current?.contains(target) // In a popover of the panel.
    if (isOutside || event.ctrlKey || event.metaKey || event.altKey) return
    const step = { j: 1, k: -1 } as const
    if (key === 'Escape' && isTypedInto(event.nativeEvent)) panel.current?.focus()
    else if (key === 'Escape') close()
    else if (isTypedInto(event.nativeEvent)) return
    else if (key === 'Enter' && target === currentTarget) openPage()
    else if ((key === 'j' || key === 'k') && onStep) onStep(step[key])
    else return
    event.preventDefault()
    event.stopPropagation() // The list has the same keys.
  }
  useShortcuts({ Escape: close })
  const status = failureOf(error)?.status
  return (
    <section
      ref={panel}
      className={styles['panel']}
      style={{ '--peek': `${width.width}px` }}
      aria-label={name}
      data-peek={id}
      tabIndex={-1}
      onKeyDown={press}
    >
      <PeekEdge {...width} />
      <header className={styles['head']}>
        {onStep && (
          <>
            <Button kind="icon" aria-label={text('peek.previous')} onPress={() => onStep(-1)}>
              <Icon of={ChevronUp} />
            </Button>
            <Button kind="icon" aria-label={text('peek.next')} onPress={() => onStep(1)}>
              <Icon of={ChevronDown} />
            </Button>
          </>
        )}
        <span className={styles['reference']}>{name}</span>
        {session && open && <WatchMenu kind="artifact" id={id} form="icon" />}
        <Button kind="icon" aria-label={text('peek.copy_link')} onPress={() => void copyLink(id, name)}>
          <Icon of={Link2} />
        </Button>
        <Button kind="icon" aria-label={text('peek.open')} onPress={openPage}>
          <Icon of={Maximize2} />
        </Button>
        <Button kind="icon" aria-label={text('close')} onPress={close}>
          <Icon of={X} />
        </Button>
      </header>
      {open && session !== undefined ? (
        <StatusProvider tracker={open.tracker}>
          <PeekedArtifact key={id} open={open} draftName={`${session?.user.id ?? 0}.artifact.${id}`} />
        </StatusProvider>
      ) : error ? (
        <div className={styles['body']}>
          {status === 404 ? (
            <Empty>{text('peek.absent')}</Empty>
          ) : (
            <RefusalNotice error={error} onRetry={() => void refetch()} />
          )}
        </div>
      ) : (
        <ListedArtifact row={known} />
      )}
    </section>
  )
}

async function copyLink(id: number, name: string): Promise<void> {
  if (!('clipboard' in navigator)) return
  await navigator.clipboard.writeText(`${location.origin}/artifacts/${id}`)
  showToast(text('peek.link_copied', { name }))
}

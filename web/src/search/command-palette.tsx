import { useRouter } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Icon } from '../design/icon.tsx'
import { Hidden } from '../design/page.tsx'
import { usePeekLink } from '../peek/peek-link.ts'
import { useCurrentPlace } from '../shell/use-current-place.ts'
import styles from './command-palette.module.css'
import { text } from './messages.ts'
import { PaletteFoot } from './palette-foot.tsx'
import { PaletteList } from './palette-list.tsx'
import type { PaletteRow } from './palette-row.tsx'
import { readTyped } from './read-typed.ts'
import { useAllResults } from './use-all-results.ts'
import { useSections } from './use-sections.ts'

/** Finds artifacts, trackers, projects, people, pages and actions by typing. The focus stays in the field. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { project } = useCurrentPlace()
  const { history } = useRouter()
  const [isScoped, setScoped] = useState(true)
  const [typed, setTyped] = useState('')
  const [asked, setActive] = useState<string>()
  const [isWaiting, setWaiting] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const peek = usePeekLink()
  const id = useId()
  const scope = isScoped ? project : undefined
  const openAll = useAllResults(typed, scope?.id)
  const { sections, isSettled } = useSections(typed, scope?.id, openAll)
  const rows = sections.flatMap((section) => section.rows)
  const active = rows.find((row) => row.id === asked) ?? rows[0]
  const activeIndex = active ? rows.indexOf(active) : -1
  const run = (row: PaletteRow) => {
    onClose()
    if (typeof row.run === 'string') history.push(row.run)
    else row.run()
  }
  // Enter that came before the results opens the best of them.
  useEffect(() => {
    if (!isWaiting || !isSettled) return
    setWaiting(false)
    if (active) run(active)
  })
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      onClose()
      openAll()
    } else if (step !== undefined) setActive(rows[(activeIndex + step + rows.length) % rows.length]?.id)
    else if (event.key === 'ArrowRight' && active?.peek !== undefined && isAtEnd(field.current)) {
      onClose()
      peek(active.peek)
    } else if (event.key === 'Backspace' && typed === '' && scope) setScoped(false)
    else if (event.key === 'Enter' && !isSettled && asked === undefined) setWaiting(true)
    else if (event.key === 'Enter' && active) run(active)
    else return
    event.preventDefault()
  }
  return (
    <ModalOverlay
      isOpen
      isDismissable
      className={String(styles['overlay'])}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Modal className={String(styles['modal'])}>
        <Dialog className={String(styles['dialog'])} aria-label={text('palette')}>
          <div className={styles['find']}>
            <Icon of={Search} size={20} />
            <input
              ref={field}
              role="combobox"
              aria-label={text('palette.search')}
              aria-expanded
              aria-controls={id}
              aria-autocomplete="list"
              aria-activedescendant={activeIndex < 0 ? undefined : `${id}-${activeIndex}`}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              placeholder={text('palette.search')}
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value)
                setActive(undefined)
                setWaiting(false)
              }}
              onKeyDown={press}
            />
            {scope && (
              <button
                type="button"
                className={styles['scope']}
                aria-label={text('palette.scope', { project: scope.label })}
                onClick={() => {
                  setScoped(false)
                  field.current?.focus()
                }}
              >
                {scope.label}
                <Icon of={X} size={12} />
              </button>
            )}
          </div>
          <PaletteList
            id={id}
            sections={sections}
            active={active}
            words={readTyped(typed).words}
            onActive={setActive}
            onRun={run}
          />
          {rows.length === 0 && isSettled && <p className={styles['nothing']}>{text('palette.nothing')}</p>}
          <Hidden>
            <span role="status">{isSettled && typed !== '' && text('palette.found', { count: rows.length })}</span>
          </Hidden>
          <PaletteFoot />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function isAtEnd(input: HTMLInputElement | null): boolean {
  return input !== null && input.selectionStart === input.value.length
}

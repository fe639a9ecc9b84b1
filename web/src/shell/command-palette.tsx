import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Input } from 'react-aria-components/Input'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { SearchField } from 'react-aria-components/SearchField'
import { myProjectsQuery } from '../projects/projects-queries.ts'
import { useSession } from '../accounts/session.ts'
import { text } from '../messages/text.ts'
import styles from './command-palette.module.css'
import { type PaletteCommand, useCommands } from './commands.ts'
import { Keys } from './keys.tsx'

/** A short list needs no scrolling; more letters narrow it. */
const MAX_SHOWN_COMMANDS = 8

/** Finds all pages and actions by typing. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const navigate = useNavigate()
  const { data: session } = useSession()
  const { data: projects = [] } = useQuery({ ...myProjectsQuery, enabled: session !== null })
  const places: PaletteCommand[] = projects.map(({ id, label_without_icon: label, shortname }) => ({
    id: `project-${id}`,
    label,
    run: () => void navigate({ to: '/projects/$shortname', params: { shortname } }),
  }))
  const commands = [...useCommands(), ...places]
    .filter(({ label }) => matches(label, typed))
    .slice(0, MAX_SHOWN_COMMANDS)
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
          <Autocomplete inputValue={typed} onInputChange={setTyped} disableAutoFocusFirst={false}>
            <SearchField className={String(styles['search'])} aria-label={text('palette.search')} autoFocus>
              <Input className={String(styles['input'])} placeholder={text('palette.search')} />
            </SearchField>
            <Menu
              className={String(styles['menu'])}
              aria-label={text('palette')}
              items={commands}
              renderEmptyState={() => <p className={styles['nothing']}>{text('palette.nothing')}</p>}
              onAction={(id) => {
                onClose()
                commands.find((command) => command.id === id)?.run()
              }}
            >
              {({ id, label, keys }) => (
                <MenuItem id={id} textValue={label} className={String(styles['item'])}>
                  <span>{label}</span>
                  {keys !== undefined && <Keys keys={keys} />}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** True if the label contains all typed words, in any order. */
function matches(label: string, typed: string): boolean {
  const words = typed.toLowerCase().split(/\s+/)
  return words.every((word) => label.toLowerCase().includes(word))
}

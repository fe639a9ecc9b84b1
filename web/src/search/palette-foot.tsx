import { Keys } from '../shell/keys.tsx'
import styles from './command-palette.module.css'
import { text } from './messages.ts'

const HINTS = [
  { keys: '↑ ↓', label: 'palette.move' },
  { keys: '↵', label: 'palette.run' },
  { keys: '→', label: 'palette.peek' },
  { keys: 'Ctrl ↵', label: 'palette.show_all' },
  { keys: '>', label: 'palette.only_actions' },
  { keys: '@', label: 'palette.only_people' },
  { keys: '#', label: 'palette.only_ids' },
] as const

/** The keys of the palette; hidden on touch. */
export function PaletteFoot() {
  return (
    <p className={styles['foot']}>
      {HINTS.map(({ keys, label }) => (
        <span key={keys}>
          <Keys keys={keys} /> {text(label)}
        </span>
      ))}
    </p>
  )
}

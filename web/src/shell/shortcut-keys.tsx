import { ENGLISH } from '../messages/english.ts'
import { SHORTCUTS } from '../messages/shortcuts.ts'
import { createMessages } from '../messages/text.ts'
import { NAVIGATION_COMMANDS } from './commands.ts'
import { Keys } from './keys.tsx'
import { OTHER_SHORTCUTS } from './other-shortcuts.ts'
import styles from './shortcut-list.module.css'

const { text } = createMessages({ ...ENGLISH, ...SHORTCUTS })

/** Every key with its meaning. */
export function ShortcutKeys() {
  const places = NAVIGATION_COMMANDS.map(({ keys, label }) => ({
    keys,
    label: text('command.go', { place: text(label) }),
  }))
  const others = OTHER_SHORTCUTS.map(({ keys, label }) => ({ keys, label: text(label) }))
  return (
    <dl className={styles['list']}>
      {[...others, ...places].map(({ keys, label }) => (
        <div key={`${keys} ${label}`}>
          <dt>{label}</dt>
          <dd>
            <Keys keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

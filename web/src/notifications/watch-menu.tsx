import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Eye, EyeOff } from 'lucide-react'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { Icon } from '../design/icon.tsx'
import styles from './watch-menu.module.css'
import { setWatchLevel, text, type Watched, type WatchLevel, watchQuery } from './watching.ts'

const LEVELS = ['all', 'status', 'mentions', 'none'] as const satisfies readonly WatchLevel[]
const INHERITED = 'inherited'

interface Props extends Watched {
  /** `word`: a button with an icon and a word; `icon`: only the icon; `row`: shows the level, as wide as its place. */
  readonly form: 'word' | 'icon' | 'row'
}

/** The notification level of a project, a tracker or an artifact; without one of its own, that of what contains it. */
export function WatchMenu({ kind, id, form }: Props) {
  const watched = { kind, id }
  const { data: watch } = useQuery(watchQuery(watched))
  const isInherited = watch === undefined || watch.inherited_from !== null
  const current = watch && text('watch.as', { level: text(`level.${watch.level}`) })
  const menu = (
    <ChoiceMenu
      label={text(`watch.${kind}`)}
      isBare
      isWide={form === 'row'}
      // Until it is known, the line is kept: most things have no level of their own.
      hint={form === 'row' && isInherited ? (current ?? '\u00A0') : undefined}
      value={isInherited ? INHERITED : watch.level}
      options={[
        { value: INHERITED, label: text('watch.inherited'), note: isInherited ? current : undefined },
        ...LEVELS.map((level) => ({ value: level, label: text(`level.${level}`) })),
      ]}
      {...(form !== 'row' && {
        face: {
          kind: form === 'icon' ? ('icon' as const) : ('plain' as const),
          content: (
            <>
              <Icon of={watch?.level === 'none' ? EyeOff : Eye} />
              {form === 'word' && (
                <>
                  {text('watch')} <Icon of={ChevronDown} size={12} />
                </>
              )}
            </>
          ),
        },
      })}
      onChange={(chosen) =>
        void setWatchLevel(
          watched,
          watch,
          LEVELS.find((level) => level === chosen),
        )
      }
    />
  )
  if (form === 'row') return menu
  const isOn = watch?.level === 'all' || watch?.level === 'status'
  return (
    <span className={styles['watch']} data-on={isOn} title={current ?? text('watch')}>
      {menu}
    </span>
  )
}

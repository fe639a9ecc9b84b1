import { Bug, FileText, LifeBuoy, Rows3, SquareCheck, TriangleAlert, User } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { hueById, toHue } from './hue.ts'
import { Icon } from './icon.tsx'
import styles from './marks.module.css'

/** Words in the names of trackers that have an icon of their own. */
const TRACKER_ICONS: readonly (readonly [LucideIcon, readonly string[]])[] = [
  [Bug, ['bug', 'defect', 'fehler']],
  [SquareCheck, ['task', 'todo', 'aufgabe']],
  [FileText, ['requirement', 'stor', 'anforderung', 'spec']],
  [TriangleAlert, ['risk', 'incident', 'risiko', 'risiken']],
  [LifeBuoy, ['support', 'ticket', 'request']],
]

interface ProjectMarkProps {
  readonly id: number
  readonly label: string
  /** An emoji; empty: none. */
  readonly icon?: string
}

/** The icon of a project, or its two letters. */
export function ProjectMark({ id, label, icon = '' }: ProjectMarkProps) {
  return (
    <span className={styles['mark']} data-hue={hueById(id)} aria-hidden>
      {icon === '' ? initials(label, 'word') : icon}
    </span>
  )
}

/** The coloured square of a tracker. */
export function TrackerMark({ label, color }: { readonly label: string; readonly color: string | undefined }) {
  const name = label.toLowerCase()
  const [icon = Rows3] = TRACKER_ICONS.find(([, words]) => words.some((word) => name.includes(word))) ?? []
  return (
    <span className={styles['mark']} data-hue={toHue(color)} aria-hidden>
      <Icon of={icon} size={14} />
    </span>
  )
}

export interface AvatarPerson {
  readonly id: number | null
  readonly name: string
  /** As in responses: leads to a picture, or to a pattern, which is not shown. */
  readonly avatar_url?: string | null | undefined
}

export type AvatarSize = 20 | 24 | 32 | 64

/** Making one takes longer than its use. */
const segmenter = new Intl.Segmenter()

/** The golden angle gives neighbouring ids different hues. */
const HUE_STEP_DEGREES = 137.5

/** The picture of a person, or the initials in their own hue. The name stands beside it, or is the title. */
export function Avatar({ person, size = 24 }: { readonly person: AvatarPerson; readonly size?: AvatarSize }) {
  const { id, name, avatar_url } = person
  const [missing, setMissing] = useState<string>()
  const picture = picturePath(avatar_url)
  if (picture !== undefined && picture !== missing)
    return (
      <img
        className={styles['avatar']}
        data-size={size}
        src={picture}
        alt=""
        decoding="async"
        onError={() => setMissing(picture)}
      />
    )
  const hue = Math.round(((id ?? 0) * HUE_STEP_DEGREES) % 360)
  return (
    <span className={styles['avatar']} data-size={size} style={{ '--angle': hue }} aria-hidden>
      {initials(name, 'person')}
    </span>
  )
}

/** On this site: behind a proxy or in development, its public address may be another one. */
export function picturePath(url: string | null | undefined): string | undefined {
  return /\/users\/[^/]+\/avatars\/[\w-]+$/.exec(url ?? '')?.[0]
}

/** The mark of a field without a person. */
export function NoAvatar({ size = 24 }: { readonly size?: AvatarSize }) {
  return (
    <span className={`${styles['avatar']} ${styles['no-person']}`} data-size={size} aria-hidden>
      <Icon of={User} size={size / 2} />
    </span>
  )
}

/** First and last name of a person; the first two words, or letters, of a thing. */
export function initials(name: string, kind: 'person' | 'word'): string {
  // Display names are `Name (login)`.
  const own = kind === 'person' ? name.replace(/(?<=\S)\s+\([^()]*\)$/, '') : name
  const words = own.split(/[\s_-]+/).filter((word) => word !== '')
  const [first = ''] = words
  const other = words.length > 1 ? (kind === 'person' ? words.at(-1) : words[1]) : undefined
  const letters = other === undefined ? lettersOf(first).slice(0, kind === 'word' ? 2 : 1) : [first, other].map(initial)
  return letters.join('').toUpperCase()
}

function initial(word: string): string {
  return lettersOf(word)[0] ?? ''
}

/** Letters with their accents, as a reader counts them. */
function lettersOf(word: string): readonly string[] {
  return Array.from(segmenter.segment(word), ({ segment }) => segment)
}

import {
  ArrowRightLeft,
  AtSign,
  Check,
  Layers,
  MessageSquare,
  Pencil,
  Plus,
  RotateCcw,
  Trash2,
  UndoDot,
  User,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { NotificationThread } from '@waypost/sdk/api'
import type { Hue } from '../design/hue.ts'
import { Icon } from '../design/icon.tsx'
import type { ThreadKind } from './describe-thread.ts'
import { text } from './messages.ts'
import styles from './inbox.module.css'

const SIGNS: Readonly<Record<ThreadKind, readonly [LucideIcon, Hue]>> = {
  mention: [AtSign, 'teal'],
  assigned: [User, 'blue'],
  closed: [Check, 'green'],
  reopened: [UndoDot, 'orange'],
  commented: [MessageSquare, 'amber'],
  changed: [Pencil, 'gray'],
  created: [Plus, 'indigo'],
  deleted: [Trash2, 'red'],
  restored: [RotateCcw, 'purple'],
  moved: [ArrowRightLeft, 'cyan'],
  bulk: [Layers, 'gray'],
  other: [Pencil, 'gray'],
}

interface Props {
  readonly kind: ThreadKind
  readonly why: NotificationThread['why']
}

/** The icon on an avatar; its words are in the title, and hidden in the row. */
export function ThreadReason({ kind, why }: Props) {
  const [icon, hue] = SIGNS[kind]
  return (
    <span className={styles['reason']} data-hue={hue} title={`${text(`kind.${kind}`)}, ${text(`why.${why}`)}`}>
      <Icon of={icon} size={12} />
    </span>
  )
}

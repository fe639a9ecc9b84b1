import { ChevronDown, ChevronRight } from 'lucide-react'
import { Icon } from '../../design/icon.tsx'
import { text } from '../messages.ts'
import styles from './branch-toggle.module.css'

interface Props {
  readonly name: string
  readonly level: number
  readonly childCount: number
  readonly isExpanded: boolean
  readonly onToggle: () => void
}

/** Indents a row of a tree, and shows or hides its children. */
export function BranchToggle({ name, level, childCount, isExpanded, onToggle }: Props) {
  return (
    <span className={styles['branch']} style={{ '--level': level }}>
      {childCount > 0 && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={text(isExpanded ? 'branch.collapse' : 'branch.expand', { name, count: childCount })}
          onClick={(event) => {
            event.stopPropagation()
            onToggle()
          }}
        >
          <Icon of={isExpanded ? ChevronDown : ChevronRight} size={14} />
        </button>
      )}
    </span>
  )
}

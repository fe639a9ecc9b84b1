import { PanelRight } from 'lucide-react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { text } from '../messages/text.ts'
import { usePeekLink } from './peek-link.ts'
import styles from './peek-button.module.css'

/** For a pointer: on a row, Space does the same. */
export function PeekButton({ id, name }: { readonly id: number; readonly name: string }) {
  const show = usePeekLink()
  return (
    <span className={styles['peek']}>
      <Button kind="icon" aria-label={text('peek', { name })} tabIndex={-1} onPress={() => show(id)}>
        <Icon of={PanelRight} />
      </Button>
    </span>
  )
}

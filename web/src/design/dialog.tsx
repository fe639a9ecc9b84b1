import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './dialog.module.css'

interface Props {
  title: string
  /** Confirms an action that cannot be undone. */
  isQuestion?: boolean
  /** Closes on Escape and on an outside click. False if the content would be lost. */
  isDismissable?: boolean
  /** For side-by-side comparison. */
  isWide?: boolean
  onClose: () => void
  children: ReactNode
}

/** Traps the focus while open, and restores it on close. */
export function Dialog({ title, isQuestion = false, isDismissable = true, isWide = false, onClose, children }: Props) {
  return (
    <ModalOverlay
      isOpen
      className={String(styles['overlay'])}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Modal className={isWide ? `${styles['modal']} ${styles['wide']}` : String(styles['modal'])}>
        <AriaDialog className={String(styles['dialog'])} role={isQuestion ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}

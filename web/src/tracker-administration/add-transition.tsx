import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { SelectField } from '../design/field.tsx'
import type { WorkflowStep } from './definition.ts'
import styles from './form.module.css'
import { text } from './messages.ts'

interface State {
  readonly key: string
  readonly label: string
}

interface Props {
  /** All states, with the one before creation. */
  readonly sources: readonly State[]
  readonly targets: readonly State[]
  readonly steps: readonly WorkflowStep[]
  readonly onAdd: (from: string, to: string) => void
  readonly onClose: () => void
}

/** Asks for both states of a new transition. */
export function AddTransition({ sources, targets, steps, onAdd, onClose }: Props) {
  const freeTargets = (from: string) =>
    targets.filter(({ key }) => key !== from && !steps.some((step) => step.from === from && step.to === key))
  const freeSources = sources.filter(({ key }) => freeTargets(key).length > 0)
  const [chosenSource, setSource] = useState<string>()
  const [chosenTarget, setTarget] = useState<string>()
  const source = freeSources.find(({ key }) => key === chosenSource) ?? freeSources[0]
  const offered = source ? freeTargets(source.key) : []
  const target = offered.find(({ key }) => key === chosenTarget) ?? offered[0]
  return (
    <Dialog title={text('workflow.add')} onClose={onClose}>
      {source && target ? (
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault()
            onAdd(source.key, target.key)
            onClose()
          }}
        >
          <div className={styles['pair']}>
            <SelectField
              label={text('workflow.add.from')}
              value={source.key}
              options={freeSources.map(({ key, label }) => ({ value: key, label }))}
              autoFocus
              onChange={setSource}
            />
            <SelectField
              label={text('workflow.add.to')}
              value={target.key}
              options={offered.map(({ key, label }) => ({ value: key, label }))}
              onChange={setTarget}
            />
          </div>
          <DialogActions>
            <Button onPress={onClose}>{text('cancel')}</Button>
            <Button kind="primary" type="submit">
              {text('workflow.add')}
            </Button>
          </DialogActions>
        </form>
      ) : (
        <>
          <p>{text('workflow.add.none')}</p>
          <DialogActions>
            <Button onPress={onClose}>{text('close')}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

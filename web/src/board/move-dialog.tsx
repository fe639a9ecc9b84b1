import type { Artifact } from '@waypost/sdk/api'
import { useState } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { ChoiceInput, ChoiceGroup, LongTextField } from '../design/field.tsx'
import toolbar from '../trackers/toolbar.module.css'
import { draftKeys } from '../field-types/parts/list-keys.ts'
import { text } from './messages.ts'
import type { BoardColumn } from './board-layout.ts'
import type { CardMove } from './use-moves.ts'
import type { StepCheck } from '../artifacts/try-steps.ts'

/** A card whose target is being chosen. */
export interface MoveQuestion {
  readonly id: number
  /** The refused move, and its reason. */
  readonly move?: CardMove
  readonly why?: string
}

interface Props {
  artifact: Artifact
  asked: MoveQuestion
  columns: readonly BoardColumn[]
  from: ChoiceKey | undefined
  step: (key: ChoiceKey | undefined) => StepCheck
  onMove: (key: ChoiceKey | undefined, comment: string) => void
  onClose: () => void
}

/** Asks for the target column and a comment: for touch, screen readers, and steps that require a comment. */
export function MoveDialog({ artifact, asked, columns, from, step, onMove, onClose }: Props) {
  const [tried] = draftKeys(asked.move?.changes[0]?.draft)
  const [chosen, setChosen] = useState<{ readonly key: ChoiceKey | undefined } | undefined>(
    tried === undefined ? undefined : { key: tried },
  )
  const [comment, setComment] = useState('')
  const isPossible = chosen !== undefined && step(chosen.key).whyNot === undefined
  return (
    <Dialog title={text('board.move_what', { name: artifact.xref })} onClose={onClose}>
      <form
        className={toolbar['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (isPossible) onMove(chosen.key, comment)
        }}
      >
        <p>{artifact.title}</p>
        <ChoiceGroup label={text('board.where')}>
          {columns.map(({ key, label }) => {
            const { whyNot, note } = step(key)
            return (
              <ChoiceInput
                key={String(key)}
                type="radio"
                name="column"
                label={key === from ? text('board.here', { label }) : label}
                hint={key === from ? undefined : (whyNot ?? note)}
                disabled={key === from || whyNot !== undefined}
                checked={chosen !== undefined && chosen.key === key}
                onChange={() => setChosen({ key })}
              />
            )
          })}
        </ChoiceGroup>
        <LongTextField
          label={text('comment.label')}
          hint={text('board.comment_hint')}
          error={asked.why}
          autoFocus={asked.why !== undefined}
          value={comment}
          onChange={({ target }) => setComment(target.value)}
        />
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={!isPossible}>
            {text('board.move')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

import { type ReactNode, useId, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { relativeText } from '../design/relative-time.tsx'
import { optimisticValue } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { fieldType } from '../field-types/field-types.ts'
import { EditValue, ShowValue } from '../field-types/field-views.tsx'
import { text } from './messages.ts'
import styles from './conflict.module.css'
import type { FieldConflict } from './save-artifact.ts'
import { sourceOf, TextDiff } from './timeline/show-change.tsx'
import type { Editing } from './use-editing.ts'

type Choice = 'theirs' | 'mine' | 'edited'

interface Decision {
  readonly choice: Choice
  readonly edited: ValueDraft
}

/** A version conflict: per field, the old value, the stored value and the unsaved value. */
export function Conflict({ editing, clash }: { editing: Editing; clash: NonNullable<Editing['clash']> }) {
  const { clashes, now } = clash
  const [decisions, setDecisions] = useState<ReadonlyMap<number, Decision>>(new Map())
  const { last_update_by_user: person, last_modified_date: at } = now.artifact
  const who = person.real_name ?? person.display_name
  const isDecided = clashes.every(({ field }) => decisions.has(field.field_id))
  const save = () => {
    const drafts = clashes.map(({ field, mine }): [number, ValueDraft | undefined] => {
      const decision = decisions.get(field.field_id)
      if (decision?.choice === 'theirs') return [field.field_id, undefined]
      return [field.field_id, decision?.choice === 'edited' ? decision.edited : mine]
    })
    void editing.settle(new Map(drafts))
  }
  return (
    <Dialog title={text('conflict.title')} isWide onClose={editing.leaveClash}>
      <p>{text('conflict.lead', { who, when: relativeText(new Date(at), new Date()) })}</p>
      {clashes.map((each) => (
        <ClashedField
          key={each.field.field_id}
          clash={each}
          editing={editing}
          tracker={now.tracker}
          who={who}
          decision={decisions.get(each.field.field_id)}
          onDecide={(decision) => setDecisions(new Map(decisions).set(each.field.field_id, decision))}
        />
      ))}
      <DialogActions>
        <Button onPress={editing.leaveClash}>{text('conflict.later')}</Button>
        <Button kind="primary" isDisabled={!isDecided || editing.isSaving} onPress={save}>
          {text('conflict.save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface FieldProps {
  readonly clash: FieldConflict
  readonly editing: Editing
  readonly tracker: NonNullable<Editing['clash']>['now']['tracker']
  readonly who: string
  readonly decision: Decision | undefined
  readonly onDecide: (decision: Decision) => void
}

function ClashedField({ clash, editing, tracker, who, decision, onDecide }: FieldProps) {
  const { field, base, theirs, mine } = clash
  const mineShown = optimisticValue(field, mine, theirs)
  const edited = decision?.edited ?? mine
  const decide = (choice: Choice) => onDecide({ choice, edited })
  const mineText = fieldType(field).editing?.sourceOfDraft?.(mine)
  const isText = mineText !== undefined
  const was = sourceOf(base) ?? ''
  return (
    <fieldset className={styles['field']}>
      <legend>{field.label}</legend>
      <div className={styles['base']}>
        <span>{text('conflict.base')}</span>
        {isText && was !== '' ? <TextDiff before={was} after={was} /> : <ShowValue value={base} field={field} />}
      </div>
      <Option
        name={field.name}
        label={text('conflict.theirs', { who })}
        isChosen={decision?.choice === 'theirs'}
        onChoose={() => decide('theirs')}
      >
        {isText ? <TextDiff before={was} after={sourceOf(theirs) ?? ''} /> : <ShowValue value={theirs} field={field} />}
      </Option>
      <Option
        name={field.name}
        label={text('conflict.mine')}
        isChosen={decision?.choice === 'mine'}
        onChoose={() => decide('mine')}
      >
        {isText ? <TextDiff before={was} after={mineText} /> : <ShowValue value={mineShown} field={field} />}
      </Option>
      <Option
        name={field.name}
        label={text('conflict.edited')}
        isChosen={decision?.choice === 'edited'}
        onChoose={() => decide('edited')}
      >
        {decision?.choice === 'edited' && (
          <EditValue
            tracker={tracker}
            field={field}
            draft={edited}
            stored={theirs}
            chosen={editing.chosen}
            isBare
            onChange={(draft) => onDecide({ choice: 'edited', edited: draft })}
          />
        )}
      </Option>
    </fieldset>
  )
}

interface OptionProps {
  readonly name: string
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
}

function Option({ name, label, isChosen, onChoose, children }: OptionProps) {
  const id = useId()
  return (
    <div className={isChosen ? `${styles['option']} ${styles['chosen']}` : styles['option']}>
      <input type="radio" id={id} name={`conflict-${name}`} checked={isChosen} onChange={onChoose} />
      <label htmlFor={id}>{label}</label>
      <div className={styles['value']}>{children}</div>
    </div>
  )
}

import { type FormEvent, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { SelectField } from '../design/field.tsx'
import { everyFieldType, fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import type { ListBind, FormElement } from './definition.ts'
import { useDraft } from './draft.ts'
import { ElementForm } from './element-form.tsx'
import { elementLabel, typeLabel } from './element-types.ts'
import styles from './form.module.css'
import { addElement, changeElement, elementsOf, everyElement, unusedElementName, takeOutOfUse } from './tree.ts'

/** Edits the label, the settings and the values of an element. Changes go into the plan. */
export function ElementDialog({
  element,
  place,
  onClose,
}: {
  element: FormElement
  place: string
  onClose: () => void
}) {
  const { change } = useDraft()
  const [wanted, setWanted] = useState(element)
  const label = elementLabel(element)
  const save = () => {
    const { content: _, ...said } = wanted
    if (JSON.stringify(wanted) !== JSON.stringify(element))
      change(text('elements.edited', { name: label }), (before) =>
        changeElement(before, element.name, (old) => ({ ...old, ...said })),
      )
    onClose()
  }
  const takeOut = () => {
    change(text('elements.taken_out', { name: label }), (before) => takeOutOfUse(before, element.name))
    onClose()
  }
  return (
    <Dialog title={text('elements.edit_what', { name: label })} isWide onClose={onClose}>
      <form className={styles['form']} onSubmit={submitting(save)}>
        <p className={styles['quiet']}>
          {text('elements.about', { type: typeLabel(element.type), name: element.name, place })}
        </p>
        <ElementForm element={wanted} onChange={setWanted} />
        <DialogActions>
          <span className={styles['first']}>
            <Button kind="danger" onPress={takeOut}>
              {text('elements.take_out')}
            </Button>
          </span>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('elements.note')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const EVERYWHERE = ''

export function NewElementDialog({ onClose }: { onClose: () => void }) {
  const { definition, change } = useDraft()
  const used = new Set([...everyElement(definition.elements)].map(({ type }) => type))
  const types = everyFieldType().filter(({ type, isSingle }) => !isSingle || !used.has(type))
  const containers = [...everyElement(definition.elements)].filter(({ content }) => content !== null)
  const [wanted, setWanted] = useState(() => newElement(types[0]?.type ?? ''))
  const wantedType = fieldType(wanted)
  const [parent, setParent] = useState(containers[0]?.name ?? EVERYWHERE)
  const taken = elementsOf(definition).map(({ label }) => label.trim().toLowerCase())
  const isTwice = wanted.label.trim() !== '' && taken.includes(wanted.label.trim().toLowerCase())
  const save = () => {
    change(text('elements.added', { name: elementLabel(wanted) }), (before) => {
      const name = unusedElementName(before, wanted.label, wanted.type)
      return addElement(before, { ...wanted, name }, parent === EVERYWHERE ? null : parent)
    })
    onClose()
  }
  return (
    <Dialog title={text('elements.add')} isWide onClose={onClose}>
      <form className={styles['form']} onSubmit={submitting(save)}>
        <div className={styles['pair']}>
          <SelectField
            label={text('elements.type')}
            autoFocus
            value={wanted.type}
            options={types.map(({ type }) => ({ value: type, label: typeLabel(type) }))}
            onChange={(type) =>
              setWanted({ ...newElement(type), label: wanted.label, description: wanted.description })
            }
          />
          {!wantedType.isSection && (
            <SelectField
              label={text('elements.in')}
              value={parent}
              options={[
                ...containers
                  .filter((each) => !wantedType.isSideBySide || fieldType(each).isSection)
                  .map((each) => ({ value: each.name, label: elementLabel(each) })),
                { value: EVERYWHERE, label: text('elements.form') },
              ]}
              onChange={setParent}
            />
          )}
        </div>
        <ElementForm element={wanted} isNew hint={isTwice ? text('elements.twice') : undefined} onChange={setWanted} />
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('elements.note')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function submitting(save: () => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save()
  }
}

/** An element with the server's defaults for its type and the default permissions of a tracker. */
function newElement(type: string): FormElement {
  const { kind, list, editing } = fieldType({ type })
  const bind: ListBind | null = list ? { type: 'static', alphabetical: false, values: [], default: [] } : null
  const written = { submit: ['@registered'], update: ['@members'] }
  const permissions = kind === 'field' ? { read: ['@anonymous'], ...(editing ? written : NOBODY) } : null
  return {
    name: '',
    type,
    label: '',
    description: '',
    required: false,
    notifications: false,
    properties: {},
    default: null,
    bind,
    permissions,
    shared_from: null,
    content: kind === 'container' ? [] : null,
  }
}

const NOBODY = { submit: [], update: [] }

import { useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Empty, Panel } from '../design/page.tsx'
import rows from '../design/rows.module.css'
import { text } from './messages.ts'
import { useDraft } from './draft.ts'
import { definedProgress } from './defined-value.tsx'
import { ElementDialog, NewElementDialog } from './element-dialog.tsx'
import { ElementList, FormEnd, type Moving } from './element-list.tsx'
import { elementLabel, typeLabel } from './element-types.ts'
import { AdministrationScreen } from './screen.tsx'
import { everyElement, findFormElement, moveElement, neighbour, type Side, slotBeside, takeIntoUse } from './tree.ts'

/** The form of a tracker: its elements in order, and the unused ones. */
export function ElementsPage() {
  const { definition, change } = useDraft()
  const [edited, setEdited] = useState<string>()
  const [isNew, setNew] = useState(false)
  const [dragged, setDragged] = useState<string>()
  const focusAfter = useRef<string>(undefined)
  // An element that moves to another container is mounted again: restore its focus.
  useEffect(() => {
    if (focusAfter.current === undefined) return
    const control = document.querySelector(`[data-control="${CSS.escape(focusAfter.current)}"]`)
    if (control instanceof HTMLElement) control.focus()
    focusAfter.current = undefined
  }, [definition])

  const placeOf = (name: string): string => {
    for (const container of [
      { label: text('elements.form'), content: definition.elements, type: '' },
      ...everyElement(definition.elements),
    ])
      if (container.content?.some((each) => each.name === name)) return elementLabel(container)
    return ''
  }
  const nameOf = (name: string) => {
    const element = findFormElement(definition, name)
    return element ? elementLabel(element) : name
  }
  const moving: Moving = {
    dragged,
    onDrag: setDragged,
    mayMove: (name, step) => neighbour(definition, name, step) !== undefined,
    move(name, step, control) {
      const slot = neighbour(definition, name, step)
      if (!slot) return
      focusAfter.current = control
      const container = slot.parent === null ? text('elements.form') : nameOf(slot.parent)
      const places = { name: nameOf(name), container, place: slot.index + 1 }
      change(text('elements.moved', places), (before) => moveElement(before, name, slot))
    },
    mayDrop: (target: string, side: Side) =>
      dragged !== undefined && slotBeside(definition, dragged, target, side) !== undefined,
    drop(target: string, side: Side) {
      const slot = dragged === undefined ? undefined : slotBeside(definition, dragged, target, side)
      setDragged(undefined)
      if (dragged === undefined || !slot) return
      const container = slot.parent === null ? text('elements.form') : nameOf(slot.parent)
      const places = { name: nameOf(dragged), container, place: slot.index + 1 }
      change(text('elements.moved', places), (before) => {
        const again = slotBeside(before, dragged, target, side)
        return again ? moveElement(before, dragged, again) : before
      })
    },
  }
  const element = edited === undefined ? undefined : findFormElement(definition, edited)
  return (
    <AdministrationScreen title={text('administration.elements')} lead={text('elements.lead')}>
      <Panel
        title={text('elements.form')}
        count={[...everyElement(definition.elements)].length}
        actions={
          <Button kind="primary" onPress={() => setNew(true)}>
            {text('elements.add')}
          </Button>
        }
        isList
      >
        {definition.elements.length === 0 ? (
          <Empty>{text('elements.none')}</Empty>
        ) : (
          <>
            <ElementList
              elements={definition.elements}
              label={text('elements.form')}
              moving={moving}
              progressOf={(field) => definedProgress(definition, field)}
              onEdit={setEdited}
            />
            <FormEnd last={definition.elements.at(-1)?.name} moving={moving} />
          </>
        )}
      </Panel>
      <Panel
        title={text('elements.unused')}
        count={definition.unused_elements.length}
        lead={text('elements.unused.lead')}
        isList
      >
        {definition.unused_elements.length === 0 ? (
          <Empty>{text('elements.unused.none')}</Empty>
        ) : (
          <ul className={rows['rows']}>
            {definition.unused_elements.map((each) => (
              <li key={each.name}>
                <span className={rows['title']}>
                  {elementLabel(each)} <span className={rows['tag']}>{typeLabel(each.type)}</span>
                </span>
                <Button
                  aria-label={text('elements.use_what', { name: elementLabel(each) })}
                  onPress={() =>
                    change(text('elements.used', { name: elementLabel(each) }), (before) =>
                      takeIntoUse(before, each.name),
                    )
                  }
                >
                  {text('elements.use')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {element && (
        <ElementDialog element={element} place={placeOf(element.name)} onClose={() => setEdited(undefined)} />
      )}
      {isNew && <NewElementDialog onClose={() => setNew(false)} />}
    </AdministrationScreen>
  )
}

import { X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Icon } from '../design/icon.tsx'
import { PickList } from '../design/pick-list.tsx'
import { FormProblem } from '../design/problem.tsx'
import { text } from '../projects/messages.ts'
import { addPicked } from './add-picked.ts'
import styles from './people.module.css'
import { type PersonChoice, usePersonChoices } from './use-person-choices.tsx'
import { useSettingsProject } from './use-settings-project.ts'

interface Props {
  readonly title: string
  readonly group: string
  readonly onClose: () => void
}

/** Adds people by name, everyone of a group, and invites others to the project by their addresses. */
export function AddPeople({ title, group, onClose }: Props) {
  const { id: project } = useSettingsProject()
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<readonly PersonChoice[]>([])
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const options = usePersonChoices(project, group, typed).filter(({ id }) => picked.every((each) => each.id !== id))
  const pick = ([id]: readonly string[]) => {
    const option = options.find((each) => each.id === id)
    if (!option) return
    setPicked([...picked, option])
    setTyped('')
  }
  const submit = async () => {
    setBusy(true)
    const refused = await addPicked(project, group, picked)
    setBusy(false)
    setProblem(refused)
    if (refused === undefined) onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles['dialog']}>
        <div className={styles['list']}>
          <PickList
            key={picked.length}
            label={text('people.search')}
            placeholder={text('people.search')}
            options={options}
            chosen={[]}
            onTyped={setTyped}
            onPick={pick}
          />
        </div>
        {picked.length > 0 && (
          <ul className={styles['picked']} aria-label={text('people.picked')}>
            {picked.map((each) => (
              <li key={each.id}>
                {each.mark}
                <span>{each.name}</span>
                <Button
                  kind="icon"
                  aria-label={text('people.unpick', { name: each.name })}
                  onPress={() => setPicked(picked.filter(({ id }) => id !== each.id))}
                >
                  <Icon of={X} size={14} />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <FormProblem>{problem}</FormProblem>
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" isBusy={isBusy} isDisabled={picked.length === 0} onPress={() => void submit()}>
            {text('people.add_count', { count: picked.length })}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

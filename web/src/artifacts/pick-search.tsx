import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import type { ChoiceKey } from './choices.ts'
import { text } from './messages.ts'
import styles from './pick.module.css'

export interface Pickable {
  readonly key: ChoiceKey
  readonly label: string
  readonly detail?: string | undefined
}

/** The search field of a picker. */
export interface PickSearchProps {
  readonly label: string
  /** The ids of the hint and the error. */
  readonly notes: string | undefined
  readonly isInvalid: boolean
  readonly placeholder: string
  readonly autoFocus: boolean
  readonly typed: string
  readonly offered: readonly (Pickable & { readonly id: string })[]
  readonly onType: (typed: string) => void
  readonly onPick: (picked: Pickable) => void
  /** Backspace in the empty field. */
  readonly onBackspace: () => void
}

export function PickSearch(props: PickSearchProps) {
  const { label, notes, isInvalid, placeholder, autoFocus, typed, offered, onType, onPick, onBackspace } = props
  return (
    <ComboBox
      aria-label={label}
      {...(notes !== undefined && { 'aria-describedby': notes })}
      items={offered}
      inputValue={typed}
      onInputChange={onType}
      value={null}
      menuTrigger="focus"
      allowsEmptyCollection
      isInvalid={isInvalid}
      onChange={(key) => {
        if (key === null) return
        const picked = offered.find((each) => each.id === key)
        if (picked) onPick(picked)
        onType('')
      }}
    >
      <Input
        className={String(styles['input'])}
        placeholder={placeholder}
        autoFocus={autoFocus}
        onKeyDown={({ key }) => {
          if (key === 'Backspace' && typed === '') onBackspace()
        }}
      />
      {/* Above the field: Save and Cancel are below it. */}
      <Popover className={String(styles['popover'])} placement="top start">
        <ListBox
          className={String(styles['list'])}
          renderEmptyState={() => <p className={styles['nothing']}>{text('pick.nothing')}</p>}
        >
          {(each: PickSearchProps['offered'][number]) => (
            <ListBoxItem id={each.id} textValue={each.label} className={String(styles['option'])}>
              <span>{each.label}</span>
              {each.detail !== undefined && <small>{each.detail}</small>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

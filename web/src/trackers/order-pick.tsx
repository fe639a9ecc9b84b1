import { ChoiceMenu } from '../design/choice-menu.tsx'
import { text } from './messages.ts'
import { isOrderedByHand, joinOrder, RANK_KEY, splitOrder } from './tql/order.ts'

interface Props {
  query: string
  onChange: (query: string) => void
}

/** Newest first, or the order that people give by moving artifacts. The query language knows more orders. */
export function OrderPick({ query, onChange }: Props) {
  const { where, order } = splitOrder(query)
  const current = order.length === 0 ? 'newest' : isOrderedByHand({ order }) ? 'hand' : 'other'
  const options = [
    { value: 'newest', label: text('order.newest') },
    { value: 'hand', label: text('order.by_hand') },
    ...(current === 'other' ? [{ value: 'other', label: text('order.other') }] : []),
  ]
  return (
    <ChoiceMenu
      label={text('order.title')}
      isQuiet
      value={current}
      options={options}
      onChange={(chosen) => {
        if (chosen === 'newest') onChange(where)
        if (chosen === 'hand') onChange(joinOrder({ where, order: [{ name: RANK_KEY, isDescending: false }] }))
      }}
    />
  )
}

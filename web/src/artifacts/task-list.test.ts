import { expect, test } from 'vitest'
import { countTasks, tickTask } from './task-list.ts'

const LIST = `Do this:

- [ ] one
  1. [x] two
> * [ ] three
- [] none
- [ ]none

\`\`\`
- [ ] code
\`\`\`
+ [X] four
`

test('tasks are counted outside of code, in nested lists and quotes', () => {
  expect(countTasks(LIST)).toBe(4)
})

test('only the mark of one task changes', () => {
  expect(tickTask(LIST, 2, true)).toBe(LIST.replace('* [ ] three', '* [x] three'))
  expect(tickTask(LIST, 1, false)).toBe(LIST.replace('[x] two', '[ ] two'))
  expect(tickTask(LIST, 3, true)).toBe(LIST.replace('[X] four', '[x] four'))
  expect(tickTask(LIST, 4, true)).toBeUndefined()
})

import { describe, expect, test } from 'vitest'
import { type Definition, parseEditedDefinition } from './definition.ts'
import { toElementName } from './names.ts'
import { addElement, findFormElement, moveElement, neighbour, slotBeside, takeIntoUse, takeOutOfUse } from './tree.ts'
import { addStep, removeStep, rulesOf, stepsOf, withSteps } from './workflow.ts'

const field = (name: string, content?: object[]) => ({
  name,
  label: name,
  type: /^(fieldset|column)/.exec(name)?.[0] ?? 'string',
  ...(content && { content }),
})
const FORM = parseEditedDefinition({
  elements: [
    field('fieldset_a', [field('one'), field('column_a', [field('two')]), field('three')]),
    field('four'),
    field('fieldset_b', []),
  ],
})

/** Serializes the form: `fieldset_a(one column_a(two)) four`. */
function drawn({ elements }: Definition): string {
  const draw = (some: Definition['elements']): string =>
    some.map(({ name, content }) => (content ? `${name}(${draw(content)})` : name)).join(' ')
  return draw(elements)
}

function moved(name: string, step: -1 | 1, times = 1, form = FORM): string {
  const slot = neighbour(form, name, step)
  if (times === 0 || !slot) return drawn(form)
  return moved(name, step, times - 1, moveElement(form, name, slot))
}

describe('an element of a form', () => {
  test.each([
    ['one', 1, 1, 'fieldset_a(column_a(one two) three) four fieldset_b()'],
    ['one', 1, 3, 'fieldset_a(column_a(two) one three) four fieldset_b()'],
    ['one', 1, 99, 'fieldset_a(column_a(two) three) four fieldset_b() one'],
    ['four', -1, 1, 'fieldset_a(one column_a(two) three four) fieldset_b()'],
    ['four', 1, 1, 'fieldset_a(one column_a(two) three) fieldset_b(four)'],
    ['fieldset_b', -1, 2, 'fieldset_b() fieldset_a(one column_a(two) three) four'],
    ['column_a', 1, 2, 'fieldset_a(one three) column_a(two) four fieldset_b()'],
    ['fieldset_a', -1, 1, 'fieldset_a(one column_a(two) three) four fieldset_b()'],
  ] as const)('%s moves by %i, %i times, into and out of what it may stand in', (name, step, times, after) => {
    expect(moved(name, step, times)).toBe(after)
  })

  test('is inserted beside its drop target, and nowhere if that position is not allowed', () => {
    const slot = slotBeside(FORM, 'three', 'one', 'before')

    expect(slot && drawn(moveElement(FORM, 'three', slot))).toBe(
      'fieldset_a(three one column_a(two)) four fieldset_b()',
    )
    expect(slotBeside(FORM, 'four', 'fieldset_b', 'inside')).toEqual({ parent: 'fieldset_b', index: 0 })
    expect(slotBeside(FORM, 'fieldset_b', 'one', 'before')).toBeUndefined()
    expect(slotBeside(FORM, 'fieldset_a', 'one', 'before')).toBeUndefined()
    expect(moveElement(FORM, 'fieldset_b', { parent: 'fieldset_a', index: 0 })).toBe(FORM)
  })

  test('leaves its children in its position when it is taken out of use, and returns at the end', () => {
    const out = takeOutOfUse(FORM, 'fieldset_a')

    expect(drawn(out)).toBe('one column_a(two) three four fieldset_b()')
    expect(out.unused_elements).toMatchObject([{ name: 'fieldset_a', content: [] }])
    expect(drawn(takeIntoUse(out, 'fieldset_a'))).toBe('one column_a(two) three four fieldset_b() fieldset_a()')
  })

  test('is appended to its container, or to the form if the container does not accept it', () => {
    const four = findFormElement(FORM, 'four')
    const column = findFormElement(FORM, 'column_a')
    const names = [four, column].map(
      (each) => each && drawn(addElement(FORM, { ...each, name: 'column_b' }, 'column_a')),
    )

    expect(names[0]).toBe('fieldset_a(one column_a(two column_b) three) four fieldset_b()')
    expect(names[1]).toBe('fieldset_a(one column_a(two) three) four fieldset_b() column_b(two)')
  })

  test('gets a unique name that is valid in queries', () => {
    expect(toElementName('Fällig am', 'date', new Set())).toBe('fallig_am')
    expect(toElementName('Due', 'date', new Set(['due', 'due_2']))).toBe('due_3')
    expect(toElementName('名前', 'string', new Set())).toBe('string')
  })
})

describe('a workflow', () => {
  const simple = {
    field: 'status',
    mode: 'simple' as const,
    states: [{ to: 'done', from: ['@new', 'open'], conditions: { comment: true } }],
  }

  test('of states shares one condition among all transitions to the same value', () => {
    const more = addStep(simple, 'late', 'done')

    expect(more.states).toEqual([{ to: 'done', from: ['@new', 'open', 'late'], conditions: { comment: true } }])
    expect(removeStep(simple, 'open', 'done').states).toMatchObject([{ to: 'done', from: ['@new'] }])
    expect(removeStep(removeStep(simple, 'open', 'done'), '@new', 'done').states).toEqual([])
    expect(addStep(simple, 'open', 'open')).toBe(simple)
    expect(rulesOf(simple)).toMatchObject([{ to: 'done', from: ['@new', 'open'] }])
  })

  test('of transitions starts with the conditions of its states, and lets them differ', () => {
    const advanced = withSteps({ ...simple, mode: 'advanced' }, stepsOf(simple))

    expect(advanced.states).toBeUndefined()
    expect(advanced.transitions).toEqual([
      { from: '@new', to: 'done', conditions: { comment: true } },
      { from: 'open', to: 'done', conditions: { comment: true } },
    ])
    expect(rulesOf(addStep(advanced, 'late', 'done'))[2]).toMatchObject({
      from: ['late'],
      conditions: { comment: false },
    })
  })
})

import * as fc from 'fast-check'
import { ADA, MARA, type TestPerson } from '../../fixtures/people.ts'
import { LEADS, ORCHARD } from '../../fixtures/seed-ids.ts'

/** One PUT, without the ids of its link targets. */
export interface Edit {
  readonly as: TestPerson
  readonly values: Readonly<Record<string, object>>
  readonly comment: { readonly body: string; readonly format: string; readonly ugroups?: readonly string[] } | undefined
  /** Milliseconds since the previous edit. */
  readonly pause: number
}

/** Link targets as indices into a list of existing artifacts. */
export interface PlannedLinks {
  readonly planned: readonly { readonly target: number; readonly type: string }[]
  readonly parent: number | undefined
}

export const LINK_TARGET_COUNT = 4
export const PARENT_COUNT = 2

const line = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[\r\n\0]/.test(text))
const prose = fc.oneof(
  fc.constantFrom('', 'Plain', '**Strong** & <i>slanted</i>', '<p>see art #1</p>', 'a\nb', 'x'.repeat(3000)),
  fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => !text.includes('\0')),
)
const day = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const some = (...labels: string[]) => fc.subarray(labels).map((value) => ({ value }))
const one = (...labels: string[]) =>
  fc.oneof(
    fc.constantFrom(...labels).map((value) => ({ value })),
    fc.constant({ bind_value_ids: [] }),
  )
const value = <T>(arbitrary: fc.Arbitrary<T>) => arbitrary.map((given) => ({ value: given }))

const links: fc.Arbitrary<PlannedLinks> = fc.record({
  planned: fc.uniqueArray(
    fc.record({ target: fc.nat(LINK_TARGET_COUNT - 1), type: fc.constantFrom('', '_is_child') }),
    {
      selector: ({ target }) => target,
      maxLength: LINK_TARGET_COUNT,
    },
  ),
  parent: fc.option(fc.nat(PARENT_COUNT - 1), { nil: undefined, freq: 5 }),
})

const restriction = fc.constantFrom(
  { is_used_by_default: false },
  { is_used_by_default: true, granted_groups: [`${ORCHARD}_3`] },
  { is_used_by_default: true, granted_groups: [`${ORCHARD}_3`, `${ORCHARD}_4`] },
  { is_used_by_default: true, granted_groups: [`${ORCHARD}_3`, String(LEADS)] },
)

const FIELDS: Readonly<Record<string, fc.Arbitrary<object>>> = {
  summary: value(line),
  details: fc.record({ value: prose, format: fc.constantFrom('text', 'html', 'commonmark') }),
  points: value(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constant(''), fc.nat(3))),
  effort: value(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(''), fc.nat(3))),
  spent: value(fc.oneof(fc.nat(5_999_999), fc.constantFrom('', '2h 30m', '150', '45m'))),
  due: value(
    fc.oneof(
      day.map((date) => date.slice(0, 10)),
      fc.constant(''),
    ),
  ),
  started: value(fc.oneof(day, fc.constant(''))),
  status: one('Open', 'Working', 'Closed'),
  severity: one('Low', 'High'),
  places: some('Barn', 'Yard', 'Dock'),
  fruits: some('Apple', 'Pear', 'Plum'),
  assigned_to: some('mara', 'tom', 'uma'),
  team: one('project_members', 'project_admins', 'leads'),
  tags: some('fragile', 'cold', 'heavy', 'Glas', 'glas'),
  links,
  seen_by: value(restriction),
  remaining: fc.oneof(
    fc.nat(100).map((manual_value) => ({ manual_value })),
    fc.constant({ is_autocomputed: true }),
  ),
  budget: value(line),
}

/** The names of the fields of `EVERY_FIELD` that edits change. */
export const EDITED_FIELDS: readonly string[] = Object.keys(FIELDS)

const comment = fc.record(
  {
    body: prose.filter((body) => body.trim() !== ''),
    format: fc.constantFrom('text', 'html', 'commonmark'),
    ugroups: fc.constant([String(LEADS)]),
  },
  { requiredKeys: ['body', 'format'] },
)

/** Mostly one or two fields at a time. */
const values = fc
  .subarray(Object.keys(FIELDS), { maxLength: 5 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, FIELDS[name] ?? fc.constant({})]))))

export const edit: fc.Arbitrary<Edit> = fc.record({
  as: fc.constantFrom(MARA, ADA),
  values,
  comment: fc.option(comment, { nil: undefined, freq: 4 }),
  pause: fc.constantFrom(0, 0, 1, 250, 1000, 3500),
})

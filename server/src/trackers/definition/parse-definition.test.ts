import { describe, expect, test } from 'vitest'
import { toId } from '../../platform/database/ids.ts'
import type { Structure, Tracker, TrackerId } from '../tracker.ts'
import { testReferenceLookup } from '../../../test/fixtures/definition-reference-lookup.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import {
  removeFieldDependents,
  definitionProblems,
  readChangedDefinition,
} from '../../../test/fixtures/changed-definition.ts'
import { wholeDefinition } from '../../../test/fixtures/whole-definition.ts'
import { validateDocument } from './validate-document.ts'
import { parseDefinition } from './parse-definition.ts'
import type { TrackerDefinition } from './schemas.ts'
import type { NamedTracker } from './reference-lookup.ts'
import { writeDefinition } from './write-definition.ts'

const SELF = toId<TrackerId>(77)
const world = testReferenceLookup()

function trackerOf(document: TrackerDefinition, stored?: Tracker): Tracker {
  const { structure, named, problems } = parseDefinition(document, world, { stored })
  expect(problems).toEqual([])
  return { ...structure, ...named, id: SELF, project_id: ORCHARD, version: 1, rights_epoch: 1 }
}

function field({ elements }: Structure, name: string) {
  const found = elements.find((each) => each.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

describe('a whole definition', () => {
  test('becomes a structure with names resolved to numbers', () => {
    const tracker = trackerOf(wholeDefinition())
    const status = field(tracker, 'status')
    const open = status.bind?.type === 'static' ? status.bind.values[0] : undefined

    expect(tracker.color_name).toBe('deep-blue')
    expect(tracker.grants).toEqual({
      full: [2],
      submitted_by_user: [2],
      submitted_by_group: [LEADS],
      assigned_to_group: [3],
      admin: [LEADS],
    })
    expect(field(tracker, 'summary')).toMatchObject({
      type: 'string',
      parent_id: field(tracker, 'left').id,
      is_required: true,
      default: 'Crates',
      rights: { read: [1], submit: [2], update: [3] },
    })
    expect(status.default).toEqual([open?.id])
    expect(field(tracker, 'number').rights).toEqual({ read: [1], submit: [], update: [] })
    expect(field(tracker, 'fs_main').rights).toBeNull()
    expect(field(tracker, 'who').default).toEqual([LEADS])
    expect(tracker.semantics.status).toMatchObject({ field_id: status.id })
    expect(tracker.workflow?.transitions).toHaveLength(4)
    expect(tracker.rules.lists).toContainEqual(expect.objectContaining({ source_value: 100, target_value: 100 }))
  })

  test('generates missing names of values and elements from their labels', () => {
    const tracker = trackerOf(wholeDefinition())
    const { bind } = field(tracker, 'status')

    expect(bind?.type === 'static' && bind.values.map(({ key }) => key)).toEqual(['open', 'loaded', 'gone_for_good'])
    expect(tracker.elements.map(({ name }) => name)).toEqual(expect.arrayContaining(['linebreak', 'note']))
  })

  test('is stable over any number of round trips', () => {
    const first = trackerOf(wholeDefinition())
    const document = writeDefinition(first, world)
    const second = trackerOf(document, first)

    expect(validateDocument(document)).toMatchObject({ problems: [] })
    expect({ ...second }).toEqual({ ...first })
    expect(writeDefinition(second, world)).toEqual(document)
    expect(writeDefinition(trackerOf(JSON.parse(JSON.stringify(document)), second), world)).toEqual(document)
  })

  test('is stable over a round trip in advanced mode', () => {
    const document = wholeDefinition()
    document.workflow = {
      field: 'status',
      used: false,
      mode: 'advanced',
      transitions: [
        { from: '@new', to: 'open' },
        { from: 'open', to: 'loaded', actions: [{ type: 'set_field_value', field: 'weight', value: 1.5 }] },
      ],
    }
    const first = trackerOf(document)
    const written = writeDefinition(first, world)

    expect(trackerOf(written, first)).toEqual(first)
    expect(first.workflow).toMatchObject({ is_advanced: true, is_used: false })
  })

  test('requires only a label and a name', () => {
    const { structure, named, problems } = parseDefinition({ label: 'Plain', item_name: 'plain' }, world)

    expect(problems).toEqual([])
    expect(named).toEqual({
      label: 'Plain',
      item_name: 'plain',
      description: '',
      color_name: 'inca-silver',
      parent_id: null,
    })
    expect(structure.grants.full).toEqual([2])
    expect(structure.settings).toMatchObject({
      in_new_dropdown: true,
      allow_deletion: true,
      require_precondition: false,
    })
  })
})

describe('an invalid document', () => {
  test('reports every problem at once, of syntax and of meaning, with its path', () => {
    const given = {
      ...wholeDefinition(),
      colour: 'red',
      label: 7,
      permissions: { full: ['nobody-knows'], admin: ['@anonymous'] },
      settings: { allow_copy: 'perhaps' },
    }
    const { document, problems } = validateDocument(given)
    if (!document) throw new Error('There is nothing left to read.')
    const all = parseDefinition(document, world, { problems }).problems

    expect(all.map(({ path, reason }) => [path, reason])).toEqual([
      ['/label', 'parameter_invalid'],
      ['/settings/allow_copy', 'parameter_invalid'],
      ['/colour', 'member_unknown'],
      ['/permissions/full/0', 'reference_unknown'],
      ['/permissions/admin/0', 'parameter_not_allowed'],
      ['/label', 'parameter_required'],
    ])
  })

  test.each<[string, (document: ReturnType<typeof wholeDefinition>) => void, unknown[]]>([
    ['no label', (document) => void (document.label = ''), [['/label', 'parameter_required']]],
    ['no name', (document) => void delete document.item_name, [['/item_name', 'parameter_required']]],
    ['a bad name', (document) => void (document.item_name = 'a b'), [['/item_name', 'name_invalid']]],
    ['a taken name', (document) => void (document.item_name = 'taken'), [['/item_name', 'name_taken']]],
    [
      'an unknown colour',
      (document) => void (document.color_name = 'mauve'),
      [['/color_name', 'parameter_not_allowed']],
    ],
    [
      'an unknown parent',
      (document) => void (document.hierarchy = { parent: 'epic' }),
      [['/hierarchy/parent', 'reference_unknown']],
    ],
    [
      'rights that make no sense',
      (document) =>
        void (document.permissions = { submitted_by_group: ['@registered'], submitted_by_user: ['@anonymous'] }),
      [
        ['/permissions/submitted_by_user/0', 'parameter_not_allowed'],
        ['/permissions/submitted_by_group/0', 'parameter_not_allowed'],
      ],
    ],
    [
      'a job at no address',
      (document) => void (document.webhooks = [{ url: 'ftp://x' }]),
      [['/webhooks/0/url', 'parameter_invalid']],
    ],
  ])('of a tracker with %s', (_, change, problems) => {
    expect(definitionProblems(change)).toEqual(problems)
  })
})

describe('other trackers', () => {
  const tasks: NamedTracker = {
    ...trackerOf({ ...wholeDefinition(), item_name: 'task' }),
    id: toId(78),
    name: 'task',
    isSeen: true,
  }
  const foreign: NamedTracker = { ...tasks, id: toId(79), name: 'vault/task', project_id: toId(1) }
  const between = testReferenceLookup([tasks, foreign], new Map([[toId<TrackerId>(78), SELF]]))
  const consider = (change: Partial<TrackerDefinition>, stored?: Tracker) =>
    parseDefinition({ ...wholeDefinition(), ...change }, between, { stored })

  test('are resolved in triggers, and written back by name', () => {
    const when = [{ tracker: 'task', field: 'status', value: 'loaded' }]
    const triggers = [{ target: { field: 'status', value: 'loaded' }, condition: 'all_of' as const, when }]
    const { structure, named, problems } = consider({ triggers })

    expect(problems).toEqual([])
    const tracker = { ...structure, ...named, id: SELF, project_id: ORCHARD, version: 1, rights_epoch: 1 }
    expect(writeDefinition(tracker, between).triggers).toEqual(triggers)
  })

  test.each([
    [{ tracker: 'nothing', field: 'status', value: 'open' }, '/triggers/0/when/0/tracker'],
    [{ tracker: 'vault/task', field: 'status', value: 'open' }, '/triggers/0/when/0/tracker'],
    [{ tracker: 'task', field: 'nothing', value: 'open' }, '/triggers/0/when/0/field'],
    [{ tracker: 'task', field: 'status', value: 'nothing' }, '/triggers/0/when/0/value'],
  ])('must have the values that a trigger depends on: %j', (each, path) => {
    const triggers = [{ target: { field: 'status', value: 'open' }, condition: 'all_of' as const, when: [each] }]
    expect(consider({ triggers }).problems).toMatchObject([{ path, reason: 'reference_unknown' }])
  })

  test('appear at most once in a trigger, which needs at least one', () => {
    const each = { tracker: 'task', field: 'status', value: 'open' }
    const target = { field: 'status', value: 'open' }
    const triggers = [
      { target, condition: 'at_least_one' as const, when: [each, each] },
      { target, condition: 'at_least_one' as const, when: [] },
    ]
    expect(consider({ triggers }).problems).toMatchObject([
      { path: '/triggers/0/when/1/tracker', reason: 'duplicate_entry' },
      { path: '/triggers/1/when', reason: 'parameter_out_of_range' },
    ])
  })

  test('can be parents, but not in a cycle and not from another project', () => {
    const stored = trackerOf(wholeDefinition())
    expect(consider({ hierarchy: { parent: 'task' } }).named.parent_id).toBe(78)
    expect(consider({ hierarchy: { parent: 'task' } }, stored).problems).toMatchObject([
      { path: '/hierarchy/parent', reason: 'parameter_conflict' },
    ])
    expect(consider({ hierarchy: { parent: 'vault/task' } }).problems).toMatchObject([
      { path: '/hierarchy/parent', reason: 'reference_unknown' },
    ])
  })

  test('share their fields: type and values are those of the original', () => {
    const { structure, problems } = consider({
      elements: [
        ...wholeDefinition().elements,
        { name: 'their_status', type: 'shared', shared_from: 'task.status', label: 'Theirs', default: ['loaded'] },
      ],
    })
    const original = tasks.elements.find(({ name }) => name === 'status')

    expect(problems).toEqual([])
    expect(field(structure, 'their_status')).toMatchObject({
      type: 'sb',
      bind: original?.bind,
      shared_from: original?.id,
      default: [original?.bind?.type === 'static' && original.bind.values[1]?.id],
    })
  })

  test('share only fields, and only with the same type', () => {
    const elements = [
      { name: 'a', shared_from: 'task.fs_main', label: 'A' },
      { name: 'b', type: 'int', shared_from: 'task.status', label: 'B' },
    ]
    const { problems } = consider({
      elements,
      unused_elements: [],
      reports: [],
      semantics: {},
      workflow: null,
      rules: {},
    })
    expect(problems).toMatchObject([
      { path: '/elements/0/shared_from', reason: 'reference_unknown' },
      { path: '/elements/1/type', reason: 'parameter_conflict' },
    ])
  })
})

describe('a definition of an existing tracker', () => {
  const stored = trackerOf(wholeDefinition())
  const element = (document: ReturnType<typeof wholeDefinition>, name: string) => {
    const all = document.elements.flatMap((each) => [each, ...(each.content ?? [])])
    const found = [...all, ...all.flatMap((each) => each.content ?? [])].find((each) => each.name === name)
    if (!found) throw new Error(`There is no ${name}.`)
    return found
  }

  test('keeps every id', () => {
    const again = trackerOf(wholeDefinition(), stored)
    expect(again).toEqual(stored)
    expect(parseDefinition(wholeDefinition(), world, { stored }).needs).toEqual(new Map())
  })

  test('keeps the ids of renamed fields and values; repeating the rename changes nothing', () => {
    const change = (document: ReturnType<typeof wholeDefinition>) => {
      Object.assign(element(document, 'tags'), { name: 'labels', renamed_from: 'tags' })
      Object.assign(element(document, 'fruit').bind ?? {}, {
        values: [
          { label: 'Äpfel', key: 'apples' },
          { label: 'Pears', key: 'birnen', renamed_from: 'pears' },
        ],
      })
    }
    const { structure, problems, named } = readChangedDefinition(change, stored)
    const after = { ...stored, ...structure, ...named }

    expect(problems).toEqual([])
    expect(field(structure, 'labels').id).toBe(field(stored, 'tags').id)
    expect(field(structure, 'fruit').bind).toMatchObject({
      values: [
        { key: 'apples', label: 'Äpfel', is_hidden: false },
        { key: 'birnen', is_hidden: false },
      ],
    })
    expect(readChangedDefinition(change, after)).toMatchObject({ problems: [], structure })
  })

  test('refuses to rename a part that is unknown or still present', () => {
    expect(
      definitionProblems((document) => {
        Object.assign(element(document, 'tags'), { name: 'labels', renamed_from: 'nothing' })
        Object.assign(element(document, 'weight'), { name: 'mass', renamed_from: 'days' })
        document.semantics = {}
      }, stored),
    ).toEqual([
      ['/elements/5/renamed_from', 'parameter_conflict'],
      ['/elements/7/renamed_from', 'reference_unknown'],
    ])
  })

  test('unuses omitted fields and hides omitted values without losing them', () => {
    const { structure, dropped, problems } = readChangedDefinition((document) => {
      document.elements = document.elements.filter(({ name }) => name !== 'tags')
      Object.assign(element(document, 'fruit').bind ?? {}, { values: [{ key: 'apples', label: 'Apples' }] })
    }, stored)

    expect(problems).toEqual([])
    expect(field(structure, 'tags')).toMatchObject({ id: field(stored, 'tags').id, is_used: false, parent_id: null })
    expect(field(structure, 'fruit').bind).toMatchObject({
      values: [
        { key: 'apples', is_hidden: false },
        { key: 'pears', is_hidden: true },
      ],
    })
    expect(dropped.fields).toEqual([field(stored, 'tags').id])
    expect(dropped.values).toHaveLength(1)
  })

  test('refuses to omit parts that it or other trackers still need', () => {
    const withoutSummary = wholeDefinition()
    withoutSummary.elements = withoutSummary.elements.slice(1)
    removeFieldDependents(withoutSummary)
    withoutSummary.semantics = { title: 'summary' }
    const needed = new Set([field(stored, 'status').id])

    expect(parseDefinition(withoutSummary, world, { stored, needed }).problems).toMatchObject([
      { path: '/elements', reason: 'rule_violated', cause: 'field_in_use' },
      { path: '/semantics/title', reason: 'rule_violated', cause: 'field_in_use' },
    ])
  })

  test.each([
    ['summary', 'text'],
    ['details', 'string'],
    ['days', 'float'],
    ['weight', 'int'],
    ['status', 'rb'],
    ['team', 'msb'],
    ['fruit', 'cb'],
    ['box', 'cb'],
  ])('lets %s become %s', (name, type) => {
    const found = definitionProblems((document) => {
      removeFieldDependents(document)
      const changed = element(document, name)
      Object.assign(changed, { type, properties: {} })
    }, stored)
    expect(found).toEqual([])
  })

  test.each([
    ['box', 'sb'],
    ['summary', 'int'],
    ['days', 'string'],
    ['start', 'string'],
    ['tags', 'msb'],
    ['fs_main', 'column'],
  ])('does not let %s become %s', (name, type) => {
    const found = definitionProblems((document) => {
      removeFieldDependents(document)
      Object.assign(element(document, name), { type, properties: {} })
      delete element(document, name).default
    }, stored)
    expect(found).toContainEqual([expect.stringMatching(/type$/), 'rule_violated', 'type_change'])
  })

  test('refuses to change the bind type of a list', () => {
    const found = definitionProblems((document) => {
      removeFieldDependents(document)
      element(document, 'fruit').bind = { type: 'users', sources: ['@members'] }
    }, stored)
    expect(found).toEqual([['/elements/0/content/4/bind/type', 'rule_violated', 'type_change']])
  })
})

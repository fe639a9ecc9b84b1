import { describe, expect, test } from 'vitest'
import { toId } from '../../platform/database/ids.ts'
import type { Structure, Tracker, TrackerId } from '../tracker.ts'
import { definitionWorld } from '../../../test/definition-world.ts'
import { LEADS, ORCHARD } from '../../../test/places.ts'
import { plain, problemsOf, readChanged as read } from '../../../test/changed-definition.ts'
import { wholeDefinition } from '../../../test/whole-definition.ts'
import { judgeDocument } from './judge-document.ts'
import { readDefinition } from './read-definition.ts'
import type { TrackerDefinition } from './schemas.ts'
import type { NamedTracker } from './world.ts'
import { writeDefinition } from './write-definition.ts'

const SELF = toId<TrackerId>(77)
const world = definitionWorld()

function trackerOf(document: TrackerDefinition, stored?: Tracker): Tracker {
  const { structure, named, problems } = readDefinition(document, world, { stored })
  expect(problems).toEqual([])
  return { ...structure, ...named, id: SELF, project_id: ORCHARD, version: 1, rights_epoch: 1 }
}

function field({ elements }: Structure, name: string) {
  const found = elements.find((each) => each.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

describe('a whole definition', () => {
  test('becomes a structure, with numbers for names', () => {
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

  test('names what it leaves nameless: values after their labels, elements too', () => {
    const tracker = trackerOf(wholeDefinition())
    const { bind } = field(tracker, 'status')

    expect(bind?.type === 'static' && bind.values.map(({ key }) => key)).toEqual(['open', 'loaded', 'gone_for_good'])
    expect(tracker.elements.map(({ name }) => name)).toEqual(expect.arrayContaining(['linebreak', 'note']))
  })

  test('is the same after any number of rounds', () => {
    const first = trackerOf(wholeDefinition())
    const document = writeDefinition(first, world)
    const second = trackerOf(document, first)

    expect(judgeDocument(document)).toMatchObject({ problems: [] })
    expect({ ...second }).toEqual({ ...first })
    expect(writeDefinition(second, world)).toEqual(document)
    expect(writeDefinition(trackerOf(JSON.parse(JSON.stringify(document)), second), world)).toEqual(document)
  })

  test('is the same after a round in advanced mode', () => {
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

  test('needs nothing but a label and a name', () => {
    const { structure, named, problems } = readDefinition({ label: 'Plain', item_name: 'plain' }, world)

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

describe('a document that does not fit', () => {
  test('is told of every problem at once, those of its form and those of its meaning, by place', () => {
    const given = {
      ...wholeDefinition(),
      colour: 'red',
      label: 7,
      permissions: { full: ['nobody-knows'], admin: ['@anonymous'] },
      settings: { allow_copy: 'perhaps' },
    }
    const { document, problems } = judgeDocument(given)
    if (!document) throw new Error('There is nothing left to read.')
    const all = readDefinition(document, world, { problems }).problems

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
    expect(problemsOf(change)).toEqual(problems)
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
  const between = definitionWorld([tasks, foreign], new Map([[toId<TrackerId>(78), SELF]]))
  const consider = (change: Partial<TrackerDefinition>, stored?: Tracker) =>
    readDefinition({ ...wholeDefinition(), ...change }, between, { stored })

  test('are named by triggers, and written as they are named', () => {
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
  ])('must have what a trigger waits for: %j', (each, path) => {
    const triggers = [{ target: { field: 'status', value: 'open' }, condition: 'all_of' as const, when: [each] }]
    expect(consider({ triggers }).problems).toMatchObject([{ path, reason: 'reference_unknown' }])
  })

  test('are named once by a trigger, and at least one is', () => {
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

  test('are parents, but not of their own parents, and not in another project', () => {
    const stored = trackerOf(wholeDefinition())
    expect(consider({ hierarchy: { parent: 'task' } }).named.parent_id).toBe(78)
    expect(consider({ hierarchy: { parent: 'task' } }, stored).problems).toMatchObject([
      { path: '/hierarchy/parent', reason: 'parameter_conflict' },
    ])
    expect(consider({ hierarchy: { parent: 'vault/task' } }).problems).toMatchObject([
      { path: '/hierarchy/parent', reason: 'reference_unknown' },
    ])
  })

  test('lend their fields: type and values are those of the original', () => {
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

  test('lend nothing that is no field, nor under another type', () => {
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

describe('a definition of a tracker that there is', () => {
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
    expect(readDefinition(wholeDefinition(), world, { stored }).needs).toEqual(new Map())
  })

  test('keeps the id of what is renamed, and of values too; said again, it is done already', () => {
    const change = (document: ReturnType<typeof wholeDefinition>) => {
      Object.assign(element(document, 'tags'), { name: 'labels', renamed_from: 'tags' })
      Object.assign(element(document, 'fruit').bind ?? {}, {
        values: [
          { label: 'Äpfel', key: 'apples' },
          { label: 'Pears', key: 'birnen', renamed_from: 'pears' },
        ],
      })
    }
    const { structure, problems, named } = read(change, stored)
    const after = { ...stored, ...structure, ...named }

    expect(problems).toEqual([])
    expect(field(structure, 'labels').id).toBe(field(stored, 'tags').id)
    expect(field(structure, 'fruit').bind).toMatchObject({
      values: [
        { key: 'apples', label: 'Äpfel', is_hidden: false },
        { key: 'birnen', is_hidden: false },
      ],
    })
    expect(read(change, after)).toMatchObject({ problems: [], structure })
  })

  test('renames nothing that is not there, or still is', () => {
    expect(
      problemsOf((document) => {
        Object.assign(element(document, 'tags'), { name: 'labels', renamed_from: 'nothing' })
        Object.assign(element(document, 'weight'), { name: 'mass', renamed_from: 'days' })
        document.semantics = {}
      }, stored),
    ).toEqual([
      ['/elements/5/renamed_from', 'parameter_conflict'],
      ['/elements/7/renamed_from', 'reference_unknown'],
    ])
  })

  test('puts out of use what it leaves out, and hides values, without losing them', () => {
    const { structure, dropped, problems } = read((document) => {
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

  test('leaves out nothing that it still needs, nor what other trackers need', () => {
    const withoutSummary = wholeDefinition()
    withoutSummary.elements = withoutSummary.elements.slice(1)
    plain(withoutSummary)
    withoutSummary.semantics = { title: 'summary' }
    const needed = new Set([field(stored, 'status').id])

    expect(readDefinition(withoutSummary, world, { stored, needed }).problems).toMatchObject([
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
    const found = problemsOf((document) => {
      plain(document)
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
    const found = problemsOf((document) => {
      plain(document)
      Object.assign(element(document, name), { type, properties: {} })
      delete element(document, name).default
    }, stored)
    expect(found).toContainEqual([expect.stringMatching(/type$/), 'rule_violated', 'type_change'])
  })

  test('does not let a list take its values from elsewhere', () => {
    const found = problemsOf((document) => {
      plain(document)
      element(document, 'fruit').bind = { type: 'users', sources: ['@members'] }
    }, stored)
    expect(found).toEqual([['/elements/0/content/4/bind/type', 'rule_violated', 'type_change']])
  })
})

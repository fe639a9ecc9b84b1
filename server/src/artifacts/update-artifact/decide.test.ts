import { describe, expect, test } from 'vitest'
import { sampleAccess, type SampleAccess } from '../../../test/fixtures/sample-access.ts'
import {
  CRATE_FIELDS,
  CRATE_TRANSITIONS,
  CRATE_VALUES,
  CRATES,
  sampleTracker,
} from '../../../test/fixtures/sample-tracker.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { toId } from '../../platform/database/ids.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { english } from '../../platform/messages/english.ts'
import type { ActionId, Element, FieldId, StoredValues, Structure } from '../../trackers/tracker.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import { decideVersion } from './decide.ts'
import { buildVersion } from './derived-rows.ts'
import type { ArtifactValues } from './schemas.ts'
import type { Changes, WriteTarget } from './version-draft.ts'

const { context } = await startWorld({ seedOnce: true })
const { summary, status, points, places, severity, due, started, old } = CRATE_FIELDS
const { open, working, closed, low, barn, yard } = CRATE_VALUES
const FILES = toId<FieldId>(22_170)
const OLD_FILES = toId<FieldId>(22_171)

interface Case extends SampleAccess {
  readonly stored?: StoredValues
  readonly isDryRun?: boolean
  readonly isFree?: boolean
  readonly beginning?: Changes
}

function targetOf({ stored, ...given }: Case): WriteTarget {
  const access = sampleAccess(given)
  const found: FoundArtifact | undefined = stored && {
    artifact: {
      id: toId(12),
      number: 1,
      rank: 1,
      project_id: ORCHARD,
      tracker_id: CRATES,
      version: 1,
      field_values: stored,
      people: [],
      restricted_to: null,
      submitted_by: null,
      submitted_on: TEST_NOW,
      last_update_by: null,
      last_modified_date: TEST_NOW,
      last_modified: TEST_NOW,
    },
    access,
    people: [],
    forward: [],
    reverse: [],
    outgoing: [],
    incoming: [],
  }
  return { access, found }
}

const authorOf = (isDryRun = false) => ({
  context,
  db: context.db,
  viewer: ANONYMOUS_VIEWER,
  language: english,
  now: TEST_NOW,
  isDryRun,
})

function decide(input: ArtifactValues, given: Case = {}) {
  const { isFree, beginning } = given
  return decideVersion(authorOf(given.isDryRun), targetOf(given), input, {
    ...(isFree !== undefined && { isFree }),
    ...(beginning && { beginning }),
  })
}

/** Reason and cause of the refusal; undefined: none. */
async function refusal(input: ArtifactValues, given: Case = {}): Promise<unknown> {
  try {
    await decide(input, given)
    return undefined
  } catch (error) {
    return error instanceof ApiError ? [error.reason, error.details?.cause] : error
  }
}

const named = (values_by_field: Record<string, unknown>) => ({ values_by_field })
const STORED = { [summary]: 'Pump', [status]: [open] }
const LATE = { ...STORED, [started]: '2026-03-09T10:00:00Z', [due]: '2026-03-05' }
const lateInput = named({ summary: 'x', started: '2026-03-09T10:00:00Z', due: '2026-03-05' })

describe('a transition', () => {
  test('is that of the workflow, and none if the status stays', async () => {
    const moved = await decide(named({ status: 'Working' }), { stored: STORED })
    expect(moved.transition?.id).toBe(CRATE_TRANSITIONS.work)
    expect((await decide(named({ points: 3 }), { stored: STORED })).transition).toBeUndefined()
  })

  test('is refused to others, without its fields, and without a comment', async () => {
    const stored = { ...STORED, [status]: [working], [points]: 3, [severity]: [low], [places]: [barn] }
    const close = { ...named({ status: 'Closed' }), comment: { body: 'Done' } }
    const groups = [1, 2, 3, 4]
    expect(await refusal(close, { stored, groups })).toBeUndefined()
    expect(await refusal(close, { stored })).toMatchObject(['transition_not_allowed', expect.anything()])
    expect(await refusal(close, { stored: { ...stored, [points]: null }, groups })).toBeDefined()
    expect(await refusal(named({ status: 'Closed' }), { stored, groups })).toBeDefined()
  })

  test('sets what its actions say, over what is sent', async () => {
    const { workflow } = sampleTracker()
    const set = { id: toId<ActionId>(22_502), type: 'set_field_value', field_id: points, value: 8 } as const
    const transitions = workflow?.transitions.map((each) => ({ ...each, actions: [set] })) ?? []
    const change = { workflow: workflow && { ...workflow, transitions } }
    const { changes, rules } = await decide(named({ status: 'Working', points: 3 }), { stored: STORED, change })
    expect(changes.get(points)).toBe(8)
    expect(rules).toEqual([{ rule: 'transition', name: 'Open to Working', effect: 'set', field_id: points }])
    const same = await decide(named({ status: 'Working' }), { stored: { ...STORED, [points]: 8 }, change })
    expect([[...same.changes.keys()], same.rules]).toEqual([[status], []])
  })
})

describe('rules between fields', () => {
  test('of dates and of lists are checked, unless the write is free', async () => {
    expect(await refusal(lateInput)).toBeDefined()
    expect(await refusal(lateInput, { isFree: true })).toBeUndefined()
    const wrongPlace = named({ summary: 'x', severity: 'Low', places: ['Yard'] })
    expect(await refusal(wrongPlace)).toBeDefined()
    expect(await refusal(wrongPlace, { isFree: true })).toBeUndefined()
    const change = { workflow: null, rules: { dates: [], lists: [] } }
    expect(await refusal(lateInput, { change })).toBeUndefined()
    expect((await decide(wrongPlace, { change })).changes.get(places)).toEqual([yard])
  })

  test('that stored values break are checked with a change or a comment, and not when nothing changes', async () => {
    expect(await refusal(named({}), { stored: LATE })).toBeUndefined()
    expect(await refusal({ comment: { body: ' ' } }, { stored: LATE })).toBeUndefined()
    expect(await refusal({ comment: { body: 'Late' } }, { stored: LATE })).toBeDefined()
    expect(await refusal(named({ points: 3 }), { stored: LATE })).toBeDefined()
  })

  test('on hidden fields refuse a write, and are only reported in a dry run', async () => {
    const hidden = ['due']
    const late = { stored: LATE, hidden }
    expect(await refusal(named({ points: 3 }), late)).toEqual(['rule_violated', 'hidden_rule'])
    expect(await decide(named({ points: 3 }), { ...late, isDryRun: true })).toMatchObject({
      rules: [{ rule: 'hidden', name: '', effect: 'not_checked' }],
    })
    expect(await decide(named({ points: 3 }), { stored: STORED, hidden })).toMatchObject({ rules: [] })
    expect(await decide(named({ points: 3 }), { stored: STORED, isDryRun: true })).toMatchObject({ rules: [] })
    expect(await refusal(named({ points: 3 }), { stored: LATE, isDryRun: true })).toBeDefined()
  })
})

test('defaults of a new artifact are reported, and values that are sent are not', async () => {
  const { rules } = await decide(named({ summary: 'Pump', points: 3 }))
  expect(rules).toEqual([{ rule: 'default', name: 'status', effect: 'set', field_id: status }])
  expect((await decide(named({ summary: 'Pump', status: 'Open' }))).rules).toEqual([])
  expect((await decide(named({ points: 3 }), { stored: STORED })).rules).toEqual([])
})

describe('files of a copy', () => {
  const { elements } = sampleTracker()
  const [any] = elements.filter(({ id }) => id === old)
  const file = (id: FieldId, name: string, is_used: boolean): Element[] =>
    any ? [{ ...any, id, name, type: 'file', is_used, properties: {} }] : []
  const change: Partial<Structure> = {
    elements: [...elements, ...file(FILES, 'files', true), ...file(OLD_FILES, 'old_files', false)],
  }
  const beginning = new Map<FieldId, unknown>([
    [summary, 'Pump'],
    [FILES, [5]],
    [OLD_FILES, [6]],
  ])

  test('are copied in used fields that are not replaced', async () => {
    const { copied, changes, rules } = await decide(named({}), { change, beginning })
    expect([...copied]).toEqual([FILES])
    expect(changes.get(FILES)).toEqual([5])
    expect(rules.map(({ name }) => name)).toEqual(['status'])
    expect([...(await decide(named({ files: [] }), { change, beginning })).copied]).toEqual([])
    expect([...(await decide(named({ summary: 'x' }), { change })).copied]).toEqual([])
  })
})

describe('a comment', () => {
  const comment = { body: 'see art #12', format: 'text' }

  test('is kept with its format and references, and an empty one is none', async () => {
    expect((await decide({ comment }, { stored: STORED })).comment).toMatchObject({
      body: 'see art #12',
      format: 'text',
      groups: null,
      references: [{ field: 0, ref: 'art #12', target: 12 }],
    })
    expect((await decide({ comment: { body: 'Hm', format: 'odd' } }, { stored: STORED })).comment?.format).toBe(
      'commonmark',
    )
    expect((await decide({ comment: { body: ' \n' } }, { stored: STORED })).comment).toBeNull()
  })
})

describe('the event of a version', () => {
  const origin = { viewer: ANONYMOUS_VIEWER, request_id: null, address: null }
  const eventOf = async (input: ArtifactValues, given: Case = {}) => {
    const draft = await decide(input, given)
    return buildVersion(authorOf(), targetOf(given), draft, origin).event
  }

  test('tells a new artifact from a change, and names the changed fields', async () => {
    expect(await eventOf(named({ summary: 'Pump' }))).toEqual({
      type: 'artifact.created',
      payload: { changed: [summary, status], has_comment: false },
    })
    expect(await eventOf({ ...named({ points: 3 }), comment: { body: 'Three' } }, { stored: STORED })).toEqual({
      type: 'artifact.updated',
      payload: { changed: [points], has_comment: true },
    })
  })

  test('has the status before and after', async () => {
    const from = { stored: STORED }
    const transition = { field_id: status, from: open, to: working }
    expect((await eventOf(named({ status: 'Working' }), from)).payload).toMatchObject({ transition })
    const free = { stored: { ...STORED, [status]: [closed] }, isFree: true }
    expect((await eventOf({ values: [{ field_id: status, bind_value_ids: [] }] }, free)).payload).toMatchObject({
      transition: { field_id: status, from: closed, to: null },
    })
    const odd = { stored: { ...STORED, [status]: ['7'] }, isFree: true }
    expect((await eventOf(named({ status: 'Open' }), odd)).payload).toMatchObject({
      transition: { field_id: status, from: null, to: open },
    })
  })
})

import { Create } from 'typebox/value'
import { toId } from '../src/platform/database/ids.ts'
import { readConfig } from '../src/platform/operation/config.ts'
import { SettingsSchema } from '../src/platform/operation/settings.ts'
import { linkReferences } from '../src/platform/texts/link-texts.ts'
import { english } from '../src/platform/words/english.ts'
import {
  type Describing,
  type FieldType,
  type Migrating,
  type Reading,
  ValueFault,
  type WriteItem,
  type Writing,
} from '../src/trackers/fields/field-type.ts'
import { settle } from '../src/trackers/fields/properties.ts'
import { plainField } from '../src/trackers/represent-field.ts'
import type { Bind, Element, Tracker } from '../src/trackers/tracker.ts'

// Not those of the harness: fields need no server.
const NOW = new Date('2026-03-01T09:30:00Z')
const CONFIG = readConfig({
  WAYPOST_ENVIRONMENT: 'test',
  WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
  WAYPOST_PUBLIC_URL: 'https://waypost.example',
  WAYPOST_DATABASE_URL: 'postgres://nowhere',
})

/** One field by itself: what its type makes of values, without a database. */
export function oneField(type: FieldType, given: Given = {}) {
  const { properties = {}, initial, name = 'amount', bind = null, ...people } = given
  const settled = settle(type, properties, initial)
  const plain = { ...element(type.type, name), bind, properties: settled.properties }
  const field: Element = { ...plain, default: type.readDefault?.(settled.default, plain) ?? null }
  const reading = readingWith(people)
  const writing = writingWith(people)
  return {
    field,
    /** The field as the structure shows it, for types that are registered. */
    structure: () => plainField(field, describingWith(people)),
    describe: () => type.describe?.(field, describingWith(people)) ?? {},
    read: (stored: unknown) => type.read?.(stored, field, reading),
    write: async (item: Omit<WriteItem, 'byName'>, more: Partial<Writing> & { byName?: boolean } = {}) =>
      type.write?.({ byName: more.byName ?? false, ...item }, field, { ...writing, ...more }),
    /** The cause of the refusal, with its facts. */
    refusal: async (item: Omit<WriteItem, 'byName'>, more: Partial<Writing> & { byName?: boolean } = {}) =>
      faultOf(async () => type.write?.({ byName: more.byName ?? false, ...item }, field, { ...writing, ...more })),
    begin: async () => type.defaultFor?.(field, writing),
    index: (stored: unknown) => type.index?.(stored, field),
    flat: (stored: unknown) => type.flat?.(stored, field, reading),
    migrate: (stored: unknown, target: string, there: { bind?: Bind } & Partial<Migrating> = {}) =>
      type.migrate?.(stored, field, { ...element(target, name), bind: there.bind ?? null }, { ...MIGRATING, ...there }),
  }
}

export interface Given extends Viewing {
  readonly properties?: Readonly<Record<string, unknown>>
  /** The member `default` of the definition. */
  readonly initial?: unknown
  readonly name?: string
  readonly bind?: Bind
}

interface Viewing {
  readonly viewer?: Partial<Writing['viewer']>
  readonly now?: Date
  /** Of the platform. */
  readonly zone?: string
  readonly reading?: Partial<Reading>
  readonly writing?: Partial<Writing>
  readonly describing?: Partial<Describing>
}

export async function faultOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return { taken: await work() }
  } catch (error) {
    if (error instanceof ValueFault) return { reason: error.reason, ...error.details }
    throw error
  }
}

export const TRACKER: Tracker = {
  id: toId(7),
  project_id: toId(105),
  item_name: 'bug',
  label: 'Bugs',
  description: '',
  color_name: 'fiesta-red',
  parent_id: null,
  version: 1,
  rights_epoch: 1,
  settings: {
    submit_instructions: '',
    browse_instructions: '',
    allow_copy: false,
    instantiate_for_new_projects: false,
    log_priority_changes: false,
    notifications_level: 'all',
    email_gateway: false,
    private_comments: false,
    in_new_dropdown: true,
    allow_move: true,
    allow_deletion: true,
    require_precondition: false,
  },
  grants: { full: [], submitted_by_user: [], submitted_by_group: [], assigned_to_group: [], admin: [] },
  elements: [],
  semantics: {
    title: null,
    description: null,
    status: null,
    contributor: null,
    timeframe: null,
    progress: null,
    initial_effort: null,
    done: null,
    tooltip: [],
  },
  workflow: null,
  rules: { dates: [], lists: [] },
  triggers: [],
  reports: [],
  canned_responses: [],
  webhooks: [],
}

const MIGRATING: Migrating = {
  from: TRACKER,
  to: TRACKER,
  groupThere: () => undefined,
  canBeChosen: () => false,
  findOpenValue: () => undefined,
  usesLinkType: () => true,
}

function element(type: string, name: string): Element {
  return {
    id: toId(111),
    parent_id: null,
    name,
    type,
    label: 'Amount',
    description: '',
    is_used: true,
    is_required: false,
    notifies: false,
    properties: {},
    default: null,
    bind: null,
    rights: { read: [1], submit: [2], update: [3] },
    shared_from: null,
  }
}

function platform({ zone = 'UTC', now = NOW }: Viewing) {
  const current = { ...Create(SettingsSchema), time_zone: zone }
  return {
    config: CONFIG,
    settings: { current, version: 1, seen: async () => {} },
    clock: { now: () => now },
  }
}

const ALICE = { language: null, time_zone: null }

function readingWith({ viewer, reading, ...given }: Viewing): Reading {
  return {
    context: platform(given),
    viewer: { ...ALICE, ...viewer },
    language: english,
    tracker: TRACKER,
    facts: {
      id: 12,
      number: 3,
      rank: 42,
      submitted_by: null,
      submitted_on: new Date('2026-03-01T09:00:00Z'),
      last_update_by: null,
      last_modified_date: new Date('2026-03-02T14:31:07.900Z'),
    },
    values: {},
    user: () => undefined,
    group: () => undefined,
    linked: (html) => linkReferences(html, linkToArtifacts),
    links: { forward: [], reverse: [] },
    references: [],
    sum: () => null,
    burndown: () => undefined,
    burnup: () => undefined,
    file: () => undefined,
    ...reading,
  }
}

function linkToArtifacts(text: string) {
  return [...text.matchAll(/art #(\d+)/g)].map(({ index, 0: found, 1: id }) => ({
    at: index,
    text: found,
    href: `/goto?key=art&val=${id}&group_id=105`,
  }))
}

function writingWith({ viewer, writing, now = NOW, zone = 'UTC' }: Viewing): Writing {
  return {
    viewer: { ...ALICE, ...viewer },
    viewerGroups: new Set(),
    administers: false,
    now,
    zone: viewer?.time_zone ?? zone,
    dayZone: zone,
    tracker: TRACKER,
    stored: undefined,
    choose: async () => [],
    findGroup: () => undefined,
    findOpenValue: async () => undefined,
    link: async () => ({}),
    attach: async () => {},
    ...writing,
  }
}

function describingWith({ viewer, describing, ...given }: Viewing): Describing {
  return {
    context: platform(given),
    viewer: { ...ALICE, ...viewer },
    language: english,
    tracker: TRACKER,
    group: () => undefined,
    groups: [],
    population: () => [],
    user: () => undefined,
    openValues: () => [],
    linkTypes: [],
    ...describing,
  }
}

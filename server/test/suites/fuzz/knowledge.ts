import type { IncomingHttpHeaders } from 'node:http'
import type { LinkKind } from '../../../src/accounts/mails/mailed-link.ts'
import { isRecord } from '../../../src/platform/wire/schema-shape.ts'
import { GUS, type TestPerson, ALL_PEOPLE } from '../../fixtures/people.ts'
import {
  BUG,
  BUG_BEGINS,
  BUG_REPORT,
  BUGS,
  GATED,
  GATES,
  HOOK,
  KEEPERS,
  LEADS,
  LEDGER,
  LEDGER_BEGINS,
  LEDGER_REPORT,
  LEDGER_SECRET,
  LOST_BUG,
  LOST_BUGS,
  MARSH,
  MARSH_BUGS,
  MARSH_SECRET,
  NURSERY,
  OPEN_BUG,
  OPEN_GATE,
  ORCHARD,
  ORCHARD_SVN,
  PAPER,
  PAPERS,
  QUARRY,
  RUIN,
  SAFE,
  SAFE_BEGINS,
  SAFE_REPORT,
  SAFE_SECRET,
  SECRET_LABEL,
  SHADOWS,
  TOMS_REPORT,
  URGENT,
  VAULT,
  VAULT_SVN,
} from '../../fixtures/seed-ids.ts'

export interface KnownSession {
  readonly id: string
  /** `name=value`. */
  readonly cookie: string
  readonly person: TestPerson
}

interface KnownToken {
  readonly token: string
  readonly person: TestPerson
}

export interface SpareProject {
  readonly id: number
  readonly service: number
  readonly group: number
}

/** The fuzzer's knowledge of the world: from the seed, responses and mails. */
export interface Knowledge {
  /** By the first segment of a `uri`: `users`, `projects`. */
  readonly ids: Map<string, string[]>
  readonly sessions: KnownSession[]
  readonly tokens: KnownToken[]
  readonly keys: { id: string; key: string; person: TestPerson }[]
  readonly links: Record<LinkKind, string[]>
  readonly etags: string[]
  readonly cursors: string[]
  /** Feed cursors. */
  readonly places: string[]
  readonly idempotencyKeys: string[]
  /** Parked jobs, each for one use. */
  readonly jobs: string[]
  /** People and projects that may be deleted. */
  readonly spares: TestPerson[]
  /** Accounts with a pending address. */
  readonly pending: TestPerson[]
  readonly projects: SpareProject[]
  readonly banners: number[]
  /** A name that is not in use. */
  fresh(stem: string): string
}

const SEEDED = {
  users: [...ALL_PEOPLE.map(({ id }) => id), 999_999],
  projects: [100, ORCHARD, VAULT, QUARRY, MARSH, RUIN, NURSERY, 999_999],
  user_groups: [LEADS, KEEPERS, SHADOWS, 2, `${ORCHARD}_3`, `${ORCHARD}_4`, `${VAULT}_3`, `${ORCHARD}_19`],
  access_keys: [...ALL_PEOPLE.map(({ key_id }) => key_id), GUS.key_id + 500],
  project_services: [ORCHARD_SVN, VAULT_SVN, 1],
  labels: [URGENT, SECRET_LABEL],
  jobs: ['1f40', '1f41', '0'],
  trackers: [BUGS, SAFE, LEDGER, LOST_BUGS, MARSH_BUGS, GATES, 999_999],
  artifacts: [OPEN_BUG, SAFE_SECRET, LEDGER_SECRET, LOST_BUG, MARSH_SECRET, GATED, OPEN_GATE, 999_999],
  artifact_files: [...Object.values(PAPER), 999_999],
  tracker_fields: [BUG.points, BUG.budget, BUG.old, ...Object.values(PAPERS), 7121, 999_999],
  webhooks: [...Object.values(HOOK), 999_999],
  tracker_reports: [BUG_REPORT, TOMS_REPORT, SAFE_REPORT, LEDGER_REPORT, 999_999],
  tracker_workflow_transitions: [BUG_BEGINS, SAFE_BEGINS, LEDGER_BEGINS, 999_999],
}

export function createKnowledge(): Knowledge {
  let count = 0
  return {
    ids: new Map(Object.entries(SEEDED).map(([kind, ids]) => [kind, ids.map(String)])),
    sessions: [],
    tokens: [],
    keys: [],
    links: { password_reset: [], email_verification: [], invitation: [] },
    etags: ['"x"', '*', 'W/"x"'],
    cursors: [],
    places: [],
    idempotencyKeys: ['once'],
    jobs: [],
    spares: [],
    pending: [],
    projects: [],
    banners: [],
    fresh: (stem) => `${stem}${++count}`,
  }
}

interface Learnt {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The parsed body, if it is JSON. */
  readonly value: unknown
  /** The receiver. */
  readonly person: TestPerson | undefined
}

/** Stores what later requests can use. */
export function learnFromAnswer(known: Knowledge, { status, headers, value, person }: Learnt): void {
  if (status >= 300) return
  if (typeof headers.etag === 'string') known.etags.push(headers.etag)
  const [, cursor] = /[?&]cursor=([^&>]+)/.exec(String(headers.link ?? '')) ?? []
  if (cursor !== undefined) known.cursors.push(decodeURIComponent(cursor))
  learnUri(known, headers.location?.replace(/^.*\/api\/(v1\/)?/, '') ?? '')
  learnFrom(known, value, 3)
  if (!isRecord(value) || !person) return
  const cookie = headers['set-cookie']?.[0]?.split(';')[0]
  const { id, token, identifier } = value
  if (cookie !== undefined && typeof id === 'string') known.sessions.push({ id, cookie, person })
  if (typeof token === 'string') known.tokens.push({ token, person })
  const [, key] = typeof identifier === 'string' ? (/-k1-(\d+)\./.exec(identifier) ?? []) : []
  if (key !== undefined) known.keys.push({ id: key, key: String(identifier), person })
}

function learnFrom(known: Knowledge, value: unknown, depth: number): void {
  if (depth === 0) return
  if (Array.isArray(value)) for (const each of value.slice(0, 5)) learnFrom(known, each, depth - 1)
  else if (isRecord(value))
    for (const [name, each] of Object.entries(value)) {
      if (name === 'uri' && typeof each === 'string') learnUri(known, each)
      else if (name === 'place' && typeof each === 'string') known.places.push(each)
      else if (typeof each === 'object') learnFrom(known, each, depth - 1)
    }
}

function learnUri(known: Knowledge, uri: string): void {
  const [, kind, id] = /^(\w+)\/([\w-]+)$/.exec(uri) ?? []
  if (kind === undefined || id === undefined) return
  const ids = known.ids.get(kind) ?? []
  if (!ids.includes(id)) known.ids.set(kind, [...ids.slice(-40), id])
}

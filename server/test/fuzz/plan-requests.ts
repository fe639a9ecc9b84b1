import { FOREIGN_PAGES } from '../own-page.ts'
import { ADA, type Person, RITA, TOM } from '../people.ts'
import { type ApiDescription, type Operation, record } from './api-description.ts'
import { credentialsOf } from './credentials.ts'
import { escape, toWire, type WireRequest } from './draft.ts'
import { draftRequest } from './draft-request.ts'
import { anyText, IDS } from './hostile-values.ts'
import { fileRequest } from './file-addresses.ts'
import type { Knowledge } from './knowledge.ts'
import type { Random } from './random.ts'
import { RAW_MESSAGES } from './raw-messages.ts'
import { spoilRequest } from './spoil-request.ts'

/** What is to be sent next. */
export type Planned =
  | ({ readonly kind: 'operation'; readonly request: WireRequest; readonly meant: Operation } & Reading)
  | ({
      readonly kind: 'page' | 'repetition'
      readonly request: WireRequest
      readonly meant: Operation | undefined
    } & Reading)
  | { readonly kind: 'raw'; readonly bytes: string }

interface Reading {
  readonly reader: Person | undefined
  readonly expected: string | undefined
}

interface Planner {
  next(known: Knowledge, requestId: string): Planned
}

const PAGES = 0.02
const REPETITIONS = 0.03
const RAW = 0.01
const VALID = 0.5
const NEAR = 0.8

/** Deals every operation in turn, in an order of chance, and something else in between. */
export function createPlanner({ operations }: ApiDescription, random: Random): Planner {
  let deck: Operation[] = []
  let rounds = 0
  let last: Extract<Planned, { kind: 'operation' }> | undefined
  return {
    next(known, requestId) {
      const lot = random.number()
      if (lot < RAW) return { kind: 'raw', bytes: random.pick(RAW_MESSAGES) }
      if (lot < RAW + PAGES) return page(known, random)
      if (lot < RAW + PAGES + REPETITIONS && last) return { ...last, kind: 'repetition' }
      if (deck.length === 0) deck = random.shuffled(rounds++ % 2 === 0 ? operations : operations.filter(isQuick))
      const operation = deck.pop()
      if (!operation) throw new Error('The description has no operations.')
      last = planOperation(operation, known, random, requestId)
      return last
    },
  }
}

/** Hashes of passwords are slow on purpose: such operations are dealt every other time. */
function isQuick({ body }: Operation): boolean {
  return !Object.keys(record(body?.['properties'])).some((name) => name.includes('password'))
}

function planOperation(operation: Operation, known: Knowledge, random: Random, requestId: string) {
  const draft = draftRequest(operation, known, random)
  if (random.chance(0.9)) draft.headers['x-request-id'] = requestId
  const lot = random.number()
  const spoils = lot < VALID ? 0 : lot < NEAR ? 1 : random.integer(2, 4)
  for (let count = 0; count < spoils; count++) spoilRequest(draft, known, random)
  const { reader, expected } = draft
  return { kind: 'operation' as const, request: toWire(draft), meant: operation, reader, expected }
}

/** Addresses beside the API: no 5xx and no secrets there either. */
function page(known: Knowledge, random: Random): Planned {
  const text = escape(anyText(random).slice(0, 400))
  const path = random.pick([
    '/healthz',
    '/readyz',
    '/metrics',
    '/',
    '/favicon.ico',
    '/users/tom',
    `/users/${text}`,
    `/users/${text}/avatar.png`,
    `/goto?key=${text}&val=${text}`,
    `/goto?key=art&val=12&group_id=${escape(random.pick(IDS))}`,
    '/api/explorer',
    '/api/explorer/',
    '/api/v1/explorer/openapi.json',
    '/api/explorer/swagger.json',
    `/api/explorer/..%2f${text}`,
    `/${text}`,
  ])
  const reader = random.pickAny([undefined, undefined, TOM, ADA, RITA])
  const headers = {
    ...(reader && credentialsOf(reader, known, random)),
    ...(random.chance(0.2) && random.pickAny(FOREIGN_PAGES)),
  }
  const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST'])
  const ofFile = random.chance(0.4) ? fileRequest(known, random) : undefined
  return {
    kind: 'page',
    request: ofFile
      ? { ...ofFile, headers: { ...ofFile.headers, ...headers } }
      : { method, path, headers, body: undefined },
    meant: undefined,
    reader,
    expected: undefined,
  }
}

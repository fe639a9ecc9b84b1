import { CROSS_SITE_HEADERS } from '../../harness/browser-requests.ts'
import { ADA, type TestPerson, RITA, TOM } from '../../fixtures/people.ts'
import { type ApiDescription, type DescribedOperation, asRecord } from './api-description.ts'
import { credentialsOf } from './credentials.ts'
import { percentEncode, toWire, type WireRequest } from './draft.ts'
import { draftRequest } from './draft-request.ts'
import { anyText, IDS } from './hostile-values.ts'
import { fileRequest } from './file-addresses.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'
import { RAW_MESSAGES } from './raw-messages.ts'
import { spoilRequest } from './spoil-request.ts'

/** The next request. */
export type Planned =
  | ({ readonly kind: 'operation'; readonly request: WireRequest; readonly meant: DescribedOperation } & Reading)
  | ({
      readonly kind: 'page' | 'repetition'
      readonly request: WireRequest
      readonly meant: DescribedOperation | undefined
    } & Reading)
  | { readonly kind: 'raw'; readonly bytes: string }

interface Reading {
  readonly reader: TestPerson | undefined
  readonly expected: string | undefined
}

interface Planner {
  next(known: Knowledge, requestId: string): Planned
}

const PAGE_SHARE = 0.02
const REPETITION_SHARE = 0.03
const RAW_SHARE = 0.01
const VALID_SHARE = 0.5
const NEARLY_VALID_SHARE = 0.8

/** Returns every operation once per round, in random order, with other requests in between. */
export function createPlanner({ operations }: ApiDescription, random: RepeatableRandom): Planner {
  let deck: DescribedOperation[] = []
  let rounds = 0
  let last: Extract<Planned, { kind: 'operation' }> | undefined
  return {
    next(known, requestId) {
      const lot = random.number()
      if (lot < RAW_SHARE) return { kind: 'raw', bytes: random.pick(RAW_MESSAGES) }
      if (lot < RAW_SHARE + PAGE_SHARE) return page(known, random)
      if (lot < RAW_SHARE + PAGE_SHARE + REPETITION_SHARE && last) return { ...last, kind: 'repetition' }
      if (deck.length === 0) deck = random.shuffled(rounds++ % 2 === 0 ? operations : operations.filter(isQuick))
      const operation = deck.pop()
      if (!operation) throw new Error('The description has no operations.')
      last = planOperation(operation, known, random, requestId)
      return last
    },
  }
}

/** Password hashes are slow on purpose: such operations run every other round. */
function isQuick({ body }: DescribedOperation): boolean {
  return !Object.keys(asRecord(body?.['properties'])).some((name) => name.includes('password'))
}

function planOperation(operation: DescribedOperation, known: Knowledge, random: RepeatableRandom, requestId: string) {
  const draft = draftRequest(operation, known, random)
  if (random.chance(0.9)) draft.headers['x-request-id'] = requestId
  const lot = random.number()
  const spoils = lot < VALID_SHARE ? 0 : lot < NEARLY_VALID_SHARE ? 1 : random.integer(2, 4)
  for (let count = 0; count < spoils; count++) spoilRequest(draft, known, random)
  const { reader, expected } = draft
  return { kind: 'operation' as const, request: toWire(draft), meant: operation, reader, expected }
}

/** URLs outside of the API: no 5xx and no secrets there either. */
function page(known: Knowledge, random: RepeatableRandom): Planned {
  const text = percentEncode(anyText(random).slice(0, 400))
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
    `/goto?key=art&val=12&group_id=${percentEncode(random.pick(IDS))}`,
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
    ...(random.chance(0.2) && random.pickAny(CROSS_SITE_HEADERS)),
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

import { readFileSync, writeFileSync } from 'node:fs'
import { Compile } from 'typebox/compile'
import { beforeEach, expect, test } from 'vitest'
import { BulkAnswerSchema } from '../../src/platform/openapi/openapi-bulk.ts'
import { OPERATION_EXAMPLES, type OperationExample } from '../../src/platform/openapi/operation-examples.ts'
import { DryRunSchema } from '../../src/platform/openapi/dry-run-schema.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { ROUTES } from '../../src/routes.ts'
import { EXAMPLE_REQUESTS, exampleCaller, WITHOUT_EXAMPLE } from '../fixtures/example-requests.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { putSeededOnDisk } from '../fixtures/seeded-on-disk.ts'
import { Lines, type Response } from '../harness/client.ts'
import { startWorld } from '../harness/start-world.ts'

// `npm run examples` records the examples; otherwise each is sent again, and its response compared with the schema.
const isRecording = process.env['WAYPOST_EXAMPLES'] === 'write'
const FILE = 'server/assets/operation-examples.json'
const { api, context } = await startWorld()
await putSeededOnDisk(context.config)
beforeEach(() => seedTestArtifacts(context.db))

test('every operation says what it is for, who may call it, and what it refuses', () => {
  const short = ROUTES.filter(
    ({ description = '' }) => description.split('. ').length < 3 || !description.endsWith('.'),
  )
  expect(short.map(({ operationId }) => operationId)).toEqual([])
})

test.skipIf(isRecording)('every operation has an example, but those in the list', () => {
  const without = ROUTES.filter(({ operationId }) => !OPERATION_EXAMPLES[operationId])
  expect(without.map(({ operationId }) => operationId).toSorted()).toEqual([...WITHOUT_EXAMPLE].toSorted())
  const known = new Set(ROUTES.map(({ operationId }) => operationId))
  expect(Object.keys(OPERATION_EXAMPLES).filter((name) => !known.has(name))).toEqual([])
})

test.skipIf(isRecording)('every body and every answer has an example', () => {
  const incomplete = ROUTES.filter((route) => {
    const example = OPERATION_EXAMPLES[route.operationId]
    if (!example) return false
    const lacksBody = (route.bulk || (route.body && !route.bodyRules?.isOptional)) && example.body === undefined
    const lacksAnswer = route.answer && !isOpaque(route) && example.answer === undefined
    return lacksBody || lacksAnswer
  })
  expect(incomplete.map(({ operationId }) => operationId)).toEqual([])
})

const check = isRecording ? record : compare

test('each read answers its example with what the schema describes', async () => {
  const faults: string[] = []
  for (const route of ROUTES) if (!route.writes) faults.push(...(await check(route)))
  expect(faults).toEqual([])
})

test.each(ROUTES.filter(({ writes }) => writes).map((route) => ({ route, name: route.operationId })))(
  '$name answers its example with what the schema describes',
  async ({ route }) => {
    expect(await check(route)).toEqual([])
  },
)

async function compare(route: Route): Promise<string[]> {
  const { operationId } = route
  const example = OPERATION_EXAMPLES[operationId]
  if (!example) return []
  const answer = await send(route, example)
  if (answer.status !== example.status) return [`${operationId}: ${answer.status} ${answer.text}`]
  const faults = [...mismatches(route, example.answer), ...mismatches(route, answerOf(route, answer))]
  return faults.map((fault) => `${operationId}: ${fault}`)
}

async function record(route: Route): Promise<string[]> {
  const { operationId } = route
  const request = EXAMPLE_REQUESTS[operationId]
  const recorded: Record<string, object> = JSON.parse(readFileSync(FILE, 'utf8'))
  delete recorded[operationId]
  if (request) {
    const answer = await send(route, request)
    const body = answerOf(route, answer)
    const [fault] = mismatches(route, body)
    if (answer.status === (route.status ?? 200) && fault === undefined)
      recorded[operationId] = { ...request, status: answer.status, ...(body !== undefined && { answer: body }) }
    else process.stdout.write(`${operationId}: ${answer.status} ${fault ?? answer.text.slice(0, 200)}\n`)
  }
  const sorted = Object.entries(recorded).toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  return []
}

async function send(route: Route, { params, query, body }: Omit<OperationExample, 'status'>): Promise<Response> {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = new URLSearchParams(query).toString()
  const caller = exampleCaller(route.operationId)
  const sent = route.bulk && typeof body === 'object' && body !== null ? new Lines([body]) : body
  return api.request(route.method, given === '' ? path : `${path}?${given}`, {
    ...(caller && { as: caller }),
    ...(sent !== undefined && { body: sent }),
  })
}

/** A file or a stream, which has no example. */
function isOpaque({ formats }: Route): boolean {
  return formats?.file !== undefined || formats?.stream?.isOnly === true
}

/** The body of the response without secrets; of a bulk write its first line. */
function answerOf(route: Route, { text, status }: Response): unknown {
  if (status >= 300 || text === '' || isOpaque(route)) return undefined
  const [first = ''] = route.bulk ? text.split('\n') : [text]
  return JSON.parse(
    first
      .replaceAll(/canary(?:-[a-z]+)+-[0-9a-f]{4}/g, 'Apples') // The description is public.
      .replaceAll('canarymail', 'mail')
      .replaceAll(/(-k1-\d+\.)[0-9a-f]{64}/g, (_, start: string) => start + '0123456789abcdef'.repeat(4))
      .replaceAll(/whsec_[\w+/]+=*/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=')
      .replaceAll(/"token":"[0-9a-f]{32}"/g, `"token":"${'0123456789abcdef'.repeat(2)}"`)
      .replaceAll(/tokens\/[0-9a-f]{32}/g, `tokens/${'0123456789abcdef'.repeat(2)}`),
  )
}

function mismatches({ answer, bulk, answerOptions }: Route, body: unknown): string[] {
  const schemas = bulk
    ? [BulkAnswerSchema]
    : [answer, answerOptions?.alternative, DryRunSchema].filter((each) => each !== undefined)
  if (body === undefined) return []
  const [first = []] = schemas.map((schema) => [...Compile(schema).Errors(body)])
  const isFine = schemas.some((schema) => Compile(schema).Check(body))
  return isFine ? [] : first.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

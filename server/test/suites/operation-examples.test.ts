import { readFileSync, writeFileSync } from 'node:fs'
import { Compile } from 'typebox/compile'
import { beforeEach, expect, test } from 'vitest'
import { BulkAnswerSchema } from '../../src/platform/openapi/openapi-bulk.ts'
import { OPERATION_EXAMPLES } from '../../src/platform/openapi/operation-examples.ts'
import { DryRunSchema } from '../../src/platform/openapi/dry-run-schema.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { ROUTES } from '../../src/routes.ts'
import { EXAMPLE_REQUESTS, WITHOUT_EXAMPLE } from '../fixtures/example-requests.ts'
import { EXAMPLE_STATES, type ExampleState } from '../fixtures/example-states.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { putSeededOnDisk } from '../fixtures/seeded-on-disk.ts'
import { isStreamOnly, sendExample, toLiveRequest } from '../fixtures/send-example.ts'
import { toStableExample } from '../fixtures/stable-example.ts'
import type { Response } from '../harness/client.ts'
import { startWorld } from '../harness/start-world.ts'
import { startMailPeer } from '../peers/mail-peer.ts'

// `npm run examples` records the examples; otherwise each is sent again, and its response compared with the schema.
const isRecording = process.env['WAYPOST_EXAMPLES'] === 'write'
const FILE = 'server/assets/operation-examples.json'
const { url, mails } = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: url } })
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
  expect(without.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(WITHOUT_EXAMPLE).toSorted())
  const known = new Set(ROUTES.map(({ operationId }) => operationId))
  expect(Object.keys(OPERATION_EXAMPLES).filter((name) => !known.has(name))).toEqual([])
})

test.skipIf(isRecording)('every body and every answer has an example', () => {
  const incomplete = ROUTES.filter((route) => {
    const example = OPERATION_EXAMPLES[route.operationId]
    if (!example) return false
    const lacksBody = (route.bulk || (route.body && !route.bodyRules?.isOptional)) && example.body === undefined
    const lacksAnswer = route.answer && !isFile(route) && example.answer === undefined
    return lacksBody || lacksAnswer
  })
  expect(incomplete.map(({ operationId }) => operationId)).toEqual([])
})

const check = isRecording ? record : compare
/** Those that change the world have a world of their own. */
const changesWorld = ({ writes, operationId }: Route) => writes || operationId in EXAMPLE_STATES

test('each read answers its example with what the schema describes', async () => {
  const faults: string[] = []
  for (const route of ROUTES) if (!changesWorld(route)) faults.push(...(await check(route)))
  expect(faults).toEqual([])
})

test.each(ROUTES.filter(changesWorld).map((route) => ({ route, name: route.operationId })))(
  '$name answers its example with what the schema describes',
  async ({ route }) => {
    expect(await check(route)).toEqual([])
  },
)

async function compare(route: Route): Promise<string[]> {
  const { operationId } = route
  const example = OPERATION_EXAMPLES[operationId]
  if (!example) return []
  const state = await prepare(route)
  const answer = await sendExample(api, route, toLiveRequest(example, state), state)
  if (answer.status !== example.status) return [`${operationId}: ${answer.status} ${answer.text}`]
  const faults = [...mismatches(route, example.answer), ...mismatches(route, answerOf(route, answer))]
  return faults.map((fault) => `${operationId}: ${fault}`)
}

async function record(route: Route): Promise<string[]> {
  const { operationId } = route
  const row = EXAMPLE_REQUESTS[operationId]
  const recorded: Record<string, object> = JSON.parse(readFileSync(FILE, 'utf8'))
  delete recorded[operationId]
  if (row) {
    const state = await prepare(route)
    const request = toLiveRequest(row, state)
    const answer = await sendExample(api, route, request, state)
    const body = answerOf(route, answer)
    const [fault] = mismatches(route, body)
    if (answer.status === (route.status ?? 200) && fault === undefined) {
      const shown: object = JSON.parse(toStableExample(JSON.stringify(request)))
      recorded[operationId] = { ...shown, status: answer.status, ...(body !== undefined && { answer: body }) }
    } else process.stdout.write(`${operationId}: ${answer.status} ${fault ?? answer.text.slice(0, 200)}\n`)
  }
  const sorted = Object.entries(recorded).toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  return []
}

async function prepare({ operationId }: Route): Promise<ExampleState> {
  return (await EXAMPLE_STATES[operationId]?.({ api, context, mails })) ?? {}
}

function isFile({ formats }: Route): boolean {
  return formats?.file !== undefined
}

/** The body of the response without secrets: of a bulk write its first line, of a stream its text, of a file nothing. */
function answerOf(route: Route, { text, status }: Response): unknown {
  if (status >= 300 || text === '' || isFile(route)) return undefined
  const shown = toStableExample(text)
  if (isStreamOnly(route)) return shown
  const [first = ''] = route.bulk ? shown.split('\n') : [shown]
  return JSON.parse(first)
}

function mismatches(route: Route, body: unknown): string[] {
  const { answer, bulk, answerOptions } = route
  if (isStreamOnly(route))
    return typeof body === 'string' && body.includes('\nevent: ready\n') ? [] : ['no frame `ready`']
  const schemas = bulk
    ? [BulkAnswerSchema]
    : [answer, answerOptions?.alternative, DryRunSchema].filter((each) => each !== undefined)
  if (body === undefined) return []
  const [first = []] = schemas.map((schema) => [...Compile(schema).Errors(body)])
  const isFine = schemas.some((schema) => Compile(schema).Check(body))
  return isFine ? [] : first.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

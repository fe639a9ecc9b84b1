import { console as inspectorConsole, type Profiler, type Runtime, Session } from 'node:inspector'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { seedTestArtifacts } from '../../../test/fixtures/seed-artifacts.ts'
import { BUG, OPEN_BUG } from '../../../test/fixtures/seed-ids.ts'
import { ROUTES } from '../../routes.ts'

// How much a reader has to open to follow a change of one number, from the handler of the route to its statements:
//
// - Files: those of `server/src` in which a named function runs after the handler was called and before the last statement is
//   sent, the file of the handler included. V8 counts the calls (precise coverage). The caches are warm, the request has
//   no precondition, and the tracker has no workflow in use.
// - Depth: the functions of these files on the asynchronous call stack when a statement is sent, from the handler to the
//   function that sends it, both included. V8 records the stack across `await`.
//
// Not counted: the wrapper of the database driver, and failpoints, which are empty functions.
const MAX_FILES = 20
const MAX_DEPTH = 6
const NOT_COUNTED =
  /^platform\/(database\/(db|connection-owner|fair-queue|commit-guard|prepare-statements)|operation\/failpoint)\.ts$/

interface SentStatement {
  readonly text: string
  readonly stack: readonly string[]
}

const session = new Session()
session.connect()
const files = new Set<string>()
const statements: SentStatement[] = []
let isMeasured = false
let isRunning = false
let trace: Runtime.StackTrace | undefined
session.on('Runtime.consoleAPICalled', ({ params }) => {
  trace = params.stackTrace
})

const sendStatement: (...given: unknown[]) => unknown = Reflect.get(Client.prototype, 'query')
Object.assign(Client.prototype, {
  query(this: Client, ...given: unknown[]): unknown {
    if (isRunning) recordStatement(given[0])
    return Reflect.apply(sendStatement, this, given)
  },
})
afterAll(() => {
  Object.assign(Client.prototype, { query: sendStatement })
  session.disconnect()
})

const { api, context } = await startWorld({ seedOnce: true, routes: ROUTES.map(measured) })
const path = `/artifacts/${OPEN_BUG}`
const setPoints = (value: number) => api.put(path, { as: TOM, body: { values: [{ field_id: BUG.points, value }] } })

test('a change of one number takes few files and few calls', async () => {
  await seedTestArtifacts(context.db)
  for (const value of [3, 4, 5]) expect((await setPoints(value)).status).toBe(200) // The caches are warm now.
  session.post('Runtime.enable')
  session.post('Debugger.enable')
  session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 64 })
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  isMeasured = true
  const { status } = await setPoints(6)
  isMeasured = false
  session.post('Profiler.stopPreciseCoverage')
  session.post('Debugger.disable')

  const list = [...files].toSorted()
  for (const { text, stack } of statements)
    process.stdout.write(`${text.trim().slice(0, 40)}…, ${stack.length} deep: ${stack.join(' > ')}\n`)
  process.stdout.write(`${list.length} files: ${list.join(', ')}\n`)
  expect(status).toBe(200)
  expect(statements.map(({ text }) => /update artifact set/.test(text))).toEqual([false, true])
  expect(list).toContain('artifacts/update-artifact/update-artifact.ts')
  expect(list).toContain('artifacts/update-artifact/write.ts')
  expect(list.length).toBeLessThanOrEqual(MAX_FILES)
  for (const { stack } of statements) {
    expect(stack[0]).toBe('handle')
    expect(stack.length).toBeLessThanOrEqual(MAX_DEPTH)
  }
})

function measured(route: (typeof ROUTES)[number]): (typeof ROUTES)[number] {
  if (route.operationId !== 'updateArtifact') return route
  return {
    ...route,
    async handle(...call) {
      takeCoverage()
      isRunning = isMeasured
      try {
        return await route.handle(...call)
      } finally {
        isRunning = false
      }
    },
  }
}

function recordStatement(given: unknown): void {
  for (const file of takeCoverage()) files.add(file)
  trace = undefined
  inspectorConsole.trace()
  const text = typeof given === 'object' && given !== null && 'text' in given ? given.text : given
  statements.push({ text: String(text), stack: callsOf(trace) })
}

/** The files with calls since it was taken last. */
function takeCoverage(): string[] {
  const called: string[] = []
  if (isMeasured)
    session.post('Profiler.takePreciseCoverage', (_, { result }: Profiler.TakePreciseCoverageReturnType) => {
      for (const { url, functions } of result)
        if (isCounted(url) && functions.some(isCalled)) called.push(sourceOf(url))
    })
  return called
}

/** Vite reads exported constants through accessors without a name. */
function isCalled({ functionName, ranges: [whole] }: Profiler.FunctionCoverage): boolean {
  return functionName !== '' && whole !== undefined && whole.count > 0
}

/** From the handler to the statement. A function that continues after `await` is in two parts of the trace. */
function callsOf(all: Runtime.StackTrace | undefined): string[] {
  const calls: Runtime.CallFrame[] = []
  for (let part = all; part; part = part.parent) {
    const counted = part.callFrames.filter(({ url }) => isCounted(url))
    for (const frame of counted) {
      const last = calls.at(-1)
      if (last?.functionName !== frame.functionName || last.url !== frame.url || frame !== counted[0]) calls.push(frame)
    }
  }
  const handler = calls.findIndex(
    ({ functionName, url }) => functionName === 'handle' && sourceOf(url).startsWith('artifacts/'),
  )
  return calls
    .slice(0, handler + 1)
    .map(({ functionName }) => functionName || '(callback)')
    .toReversed()
}

function isCounted(url: string): boolean {
  return url.includes('/server/src/') && !url.includes('.test.ts') && !NOT_COUNTED.test(sourceOf(url))
}

function sourceOf(url: string): string {
  return url.split('/server/src/').at(-1) ?? url
}

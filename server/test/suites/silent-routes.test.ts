import { beforeEach, expect, test } from 'vitest'
import { toEventOutline } from '../../src/feed/notifications/planning/notification-context.ts'
import { readEventsAfter, readFeedState } from '../../src/platform/database/events.ts'
import { querySchema } from '../../src/platform/http/input.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { OPERATION_EXAMPLES } from '../../src/platform/openapi/operation-examples.ts'
import { ROUTES } from '../../src/routes.ts'
import { EXAMPLE_STATES } from '../fixtures/example-states.ts'
import { WITHOUT_EXAMPLE } from '../fixtures/example-requests.ts'
import { ADA, MARA, TOM } from '../fixtures/people.ts'
import { RIGHTS } from '../fixtures/rights.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { putSeededOnDisk } from '../fixtures/seeded-on-disk.ts'
import { sendExample, toLiveRequest } from '../fixtures/send-example.ts'
import { settleFeed } from '../harness/settle-feed.ts'
import { startWorld } from '../harness/start-world.ts'
import { startMailPeer } from '../peers/mail-peer.ts'

// Mails about one's own account (keys, passwords, addresses, invitations) are no notifications, and cannot be suppressed.
const { url, mails } = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: url } })
await putSeededOnDisk(context.config)
beforeEach(() => seedTestArtifacts(context.db))

/** Routes that always notify, each with the reason. */
const ALWAYS_LOUD: Readonly<Record<string, string>> = {
  acceptInvitation: 'The caller joins a project, and administers nothing there.',
}
/** Routes whose members may be silent, each with the reason. */
const SILENT_FOR_MEMBERS: Readonly<Record<string, string>> = {
  createProject: 'Its creator administers the new project.',
  moveArtifact: 'Moves by members are 400, with and without the parameter.',
  restoreArtifact: 'Restorations by members are refused, with and without the parameter.',
}

const takesNotify = (route: Route) => 'notify' in querySchema(route).properties
const named = (routes: readonly Route[]) => routes.map((route) => ({ route, name: route.operationId }))
const writes = ROUTES.filter(
  ({ writes: isWrite, operationId }) => isWrite && !(operationId in ALWAYS_LOUD) && !(operationId in WITHOUT_EXAMPLE),
)

test.each(named(writes))('$name can be silent, if it notifies', async ({ route }) => {
  const { operationId } = route
  const example = OPERATION_EXAMPLES[operationId]
  if (!example) throw new Error(`${operationId} has no example.`)
  const state = (await EXAMPLE_STATES[operationId]?.({ api, context, mails })) ?? {}
  const administrator = RIGHTS[operationId]?.right('P7', 'T1') ? MARA : ADA
  const request = toLiveRequest(example, state)
  await settleFeed(context)
  const { horizon } = await readFeedState(context.db)

  const answer = takesNotify(route)
    ? await sendExample(api, route, asSilent(request), { as: administrator, ...state })
    : await sendExample(api, route, request, state)

  expect([answer.status, answer.text]).toEqual([example.status, answer.text])
  await settleFeed(context)
  const loud = (await readEventsAfter(context.db, horizon, 1000)).filter((event) => toEventOutline(event))
  expect(loud.map(({ type, object }) => `${type} ${object}`)).toEqual([])
})

const forMembers = ROUTES.filter(
  (route) =>
    takesNotify(route) && RIGHTS[route.operationId]?.right('P5', 'T1') && !(route.operationId in SILENT_FOR_MEMBERS),
)

test.each(named(forMembers))('$name is not silent for members', async ({ route }) => {
  const example = OPERATION_EXAMPLES[route.operationId]
  if (!example) throw new Error(`${route.operationId} has no example.`)
  const { status, text } = await sendExample(api, route, asSilent(example), { as: TOM })
  expect([status, text]).toEqual([403, expect.stringContaining('permission_denied')])
})

function asSilent<Request extends { readonly query: Record<string, string> }>(request: Request): Request {
  return { ...request, query: { ...request.query, notify: 'false' } }
}

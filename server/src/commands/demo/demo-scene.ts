import { findViewer } from '../../accounts/sign-in/find-viewer.ts'
import { noticePoller } from '../../feed/notifications/planning/notice-poller.ts'
import { readNotifications } from '../../feed/notifications/inbox/read-notifications.ts'
import { sequenceEvents } from '../../platform/database/sequence-events.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { callRoute, type RouteInput } from '../call-route.ts'

/** The artifact of a title. */
export interface DemoArtifact {
  readonly id: number
  readonly xref: string
}

/** Writes the demo data at moments of the past, in their order. */
export interface DemoScene {
  readonly context: Context
  /** When the demo is loaded. */
  readonly now: Date
  readonly artifacts: Map<string, DemoArtifact>
  moveTo(moment: Date): void
  call(login: string, route: Route, input: RouteInput): Promise<unknown>
}

/** The ids of the trackers of the first project, and of the artifact with the most history. */
export interface DemoPlaces {
  readonly tasks: number
  readonly bugs: number
  readonly stories: number
  readonly doubleCharge: number
}

export function createDemoScene(given: Context): DemoScene {
  const now = given.clock.now()
  let moment = now
  const viewers = new Map<string, Viewer>()
  const context: Context = {
    ...given,
    clock: { now: () => moment },
    // No mails about the past.
    config: { ...given.config, WAYPOST_SMTP_URL: '' },
  }
  return {
    context,
    now,
    artifacts: new Map(),
    moveTo(next) {
      moment = next
    },
    async call(login, route, input) {
      const viewer = viewers.get(login) ?? (await findViewer(context, login))
      viewers.set(login, viewer)
      return callRoute(context, route, viewer, input)
    },
  }
}

/** Plans the notifications of everything that has happened, as of the moment of the scene. */
export async function notify({ context }: DemoScene): Promise<void> {
  await sequenceEvents(context.db)
  while (await noticePoller.turn(context));
}

/** Marks everything in the inbox of these people as read. */
export async function readInboxes(scene: DemoScene, logins: readonly string[]): Promise<void> {
  for (const login of logins) await scene.call(login, readNotifications, { body: { until: Number.MAX_SAFE_INTEGER } })
}

/** The id in a representation. */
export function idOf(answer: unknown): number {
  return typeof answer === 'object' && answer !== null && 'id' in answer ? Number(answer.id) : 0
}

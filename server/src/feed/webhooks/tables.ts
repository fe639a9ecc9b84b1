import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { DeliveryId, DeliveryKind, DeliveryState } from './delivery.ts'
import type { StateReason, WebhookFormat, WebhookId, WebhookPayload, WebhookState } from './webhook.ts'

declare module '../../platform/database/db.ts' {
  interface Tables {
    webhook: {
      id: GeneratedAlways<WebhookId>
      project_id: ProjectId
      tracker_id: TrackerId | null
      url: string
      events: readonly string[]
      format: WebhookFormat
      payload: WebhookPayload
      as_user: AccountId | null
      ordered: Generated<boolean>
      active: Generated<boolean>
      state: Generated<WebhookState>
      last_status: number | null
      /** Servers of the previous version move only (place_xid, place_id). */
      place_position: Generated<number>
      place_xid: string
      place_id: number
      secret: Buffer
      old_secret: Buffer | null
      old_secret_until: Date | null
      failures: Generated<number>
      failing_since: Date | null
      held_until: Date | null
      version: Generated<number>
      created_by: AccountId | null
      owner_id: AccountId | null
      state_reason: StateReason | null
      created_on: Date
    }
    webhook_delivery: {
      id: GeneratedAlways<DeliveryId>
      webhook_id: WebhookId
      kind: DeliveryKind
      event: string
      event_id: string
      xid: string | null
      number: number | null
      object: string | null
      state: Generated<DeliveryState>
      on: Date
      due_on: Date
      taken_until: Date | null
      attempts: Generated<number>
      tried: Generated<boolean>
      status: number | null
      duration_ms: number | null
      error: string | null
      request_headers: ColumnType<Record<string, string> | null, string | null, string | null>
      request_body: string | null
      answer_headers: ColumnType<Record<string, unknown> | null, string | null, string | null>
      answer_body: string | null
      people: Generated<number[]>
    }
  }
}

import type { Generated } from 'kysely'
import type { ObjectKindName } from '../../artifacts/object-kinds.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Level } from './level.ts'
import type { NotificationSettings } from './settings/settings.ts'
import type { NotificationReason } from './notification-reasons.ts'

declare module '../../platform/database/db.ts' {
  interface Tables {
    watch: { account_id: AccountId; kind: ObjectKindName; object_id: number; level: Level }
    notification_setting: NotificationSettings & { account_id: AccountId }
    notified_event: {
      id: number
      xid: string
      /** Null: written by a server of the previous version. */
      position: number | null
      epoch: string
      on: Date
      type: string
      object: string | null
      project_id: number | null
      actor_id: number | null
      request_id: string | null
      client_uuid: string | null
      payload: unknown
    }
    notification: {
      id: Generated<number>
      account_id: AccountId
      event_id: number
      why: NotificationReason
      on: Date
      is_read: Generated<boolean>
      snoozed_until: Date | null
    }
    notice_mail: {
      id: Generated<number>
      account_id: AccountId
      event_id: number
      why: NotificationReason
      planned_on: Date
      digest_on: Date | null
      handed_over_on: Date | null
      job_id: number | null
    }
    /** Servers of the previous version move only (xid, id). */
    notice_reader: { epoch: string; xid: string; id: number; position: number }
  }
}

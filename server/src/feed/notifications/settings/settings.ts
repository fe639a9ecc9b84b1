import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import { LevelSchema } from '../level.ts'

const members = {
  default_level: LevelSchema,
  mail: Type.Enum(['immediate', 'hourly', 'daily', 'off'], {
    description: 'When mails are sent; the inbox has all notifications.',
  }),
  digest_hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: 'Hour of the daily digest, in the time zone of the account.',
  }),
  own_changes: Type.Boolean({ description: 'Notify of your own changes.' }),
  assigned: Type.Boolean({ description: 'Notify of changes to artifacts that are assigned to you.' }),
  submitted: Type.Boolean({ description: 'Notify of changes to artifacts that you have submitted.' }),
  mute_mentions: Type.Boolean({ description: 'The level `none` also mutes mentions.' }),
  short_mails: Type.Boolean({ description: 'Mails contain neither values nor comments.' }),
}

export const NotificationSettings = Type.Object(members, { title: 'NotificationSettings' })
export type NotificationSettings = Static<typeof NotificationSettings>

export const ChosenSettings = Type.Object(
  {
    default_level: Type.Optional(members.default_level),
    mail: Type.Optional(members.mail),
    digest_hour: Type.Optional(members.digest_hour),
    own_changes: Type.Optional(members.own_changes),
    assigned: Type.Optional(members.assigned),
    submitted: Type.Optional(members.submitted),
    mute_mentions: Type.Optional(members.mute_mentions),
    short_mails: Type.Optional(members.short_mails),
  },
  { additionalProperties: false },
)

export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  default_level: 'mentions',
  mail: 'immediate',
  digest_hour: 8,
  own_changes: false,
  assigned: true,
  submitted: true,
  mute_mentions: true,
  short_mails: false,
}

/** Settings by account; accounts that have chosen none are omitted. */
export async function findNotificationSettings(
  db: Db | Tx,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, NotificationSettings>> {
  const { rows } = await sql<NotificationSettings & { account_id: AccountId }>`
    select account_id, default_level, mail, digest_hour, own_changes, assigned, submitted, mute_mentions, short_mails
    from notification_setting where account_id = any(${accounts}::bigint[])`.execute(db)
  return new Map(rows.map(({ account_id, ...settings }) => [account_id, settings]))
}

export async function loadNotificationSettings(db: Db | Tx, account: AccountId): Promise<NotificationSettings> {
  return (await findNotificationSettings(db, [account])).get(account) ?? DEFAULT_NOTIFICATION_SETTINGS
}

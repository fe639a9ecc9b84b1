import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import { LevelSchema } from '../level.ts'

const members = {
  default_level: LevelSchema,
  mail: Type.Enum(['immediate', 'hourly', 'daily', 'off'], { description: 'When mails are sent; the inbox has all.' }),
  digest_hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: 'When the daily digest comes, in the zone of the account.',
  }),
  own_changes: Type.Boolean({ description: 'Whether one is told of what one has done oneself.' }),
  assigned: Type.Boolean({ description: 'Whether one is told of what one is assigned to.' }),
  submitted: Type.Boolean({ description: 'Whether one is told of what one has submitted.' }),
  mute_mentions: Type.Boolean({ description: 'Whether `none` keeps mentions away too.' }),
  short_mails: Type.Boolean({ description: 'Mails say what has changed, and not how.' }),
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

/** What counts for whoever has chosen nothing. */
export const DEFAULTS: NotificationSettings = {
  default_level: 'mentions',
  mail: 'immediate',
  digest_hour: 8,
  own_changes: false,
  assigned: true,
  submitted: true,
  mute_mentions: true,
  short_mails: false,
}

/** The settings of each of these people who has chosen any. */
export async function findSettings(
  db: Db | Tx,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, NotificationSettings>> {
  const { rows } = await sql<NotificationSettings & { account_id: AccountId }>`
    select account_id, default_level, mail, digest_hour, own_changes, assigned, submitted, mute_mentions, short_mails
    from notification_setting where account_id = any(${accounts}::bigint[])`.execute(db)
  return new Map(rows.map(({ account_id, ...settings }) => [account_id, settings]))
}

export async function settingsOf(db: Db | Tx, account: AccountId): Promise<NotificationSettings> {
  return (await findSettings(db, [account])).get(account) ?? DEFAULTS
}

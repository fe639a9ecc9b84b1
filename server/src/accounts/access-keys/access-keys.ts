import { type RawBuilder, sql } from 'kysely'
import { apiDate } from '../../platform/wire/dates.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { AccessKeyId } from './access-key.ts'
import type { AccessKeySchema } from '../users/schemas.ts'

export interface AccessKeyRow {
  id: AccessKeyId
  description: string
  scopes: string[]
  projects: number[] | null
  created_on: Date
  expires_on: Date | null
  last_used_on: Date | null
  last_used_by: string | null
}

export const accessKeyColumns = sql`access_key.id, access_key.description, access_key.scopes, access_key.projects, access_key.created_on,
  access_key.expires_on, access_key.last_used_on, access_key.last_used_by`

/** Whether the row of `access_key` belongs to this account and is not expired. */
export function isOwnLiveKey(account: AccountId, now: Date): RawBuilder<boolean> {
  return sql`access_key.account_id = ${account} and not access_key.is_over
    and (access_key.expires_on is null or access_key.expires_on > ${now})`
}

export function representAccessKey(row: AccessKeyRow): AccessKeySchema {
  const { id, created_on, expires_on, description, last_used_on, last_used_by, scopes, projects } = row
  return {
    id,
    uri: `access_keys/${id}`,
    creation_date: apiDate(created_on),
    expiration_date: expires_on && apiDate(expires_on),
    description,
    last_used_on: last_used_on && apiDate(last_used_on),
    last_used_by,
    scopes: scopes.map((identifier) => ({ identifier })),
    projects,
  }
}

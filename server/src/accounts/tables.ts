import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { AccountId } from '../platform/http/viewer.ts'
import type { TextFormat } from '../platform/rich-text/render-text.ts'
import type { AccessKeyId } from './access-keys/access-key.ts'
import type { AccountStatus } from './account.ts'
import type { DirectorySettings, SyncCounts } from './directories/directory-settings.ts'
import type { ProviderSettings } from './identity/provider-settings.ts'

declare module '../platform/database/db.ts' {
  interface Tables {
    account: AccountTable
    login_tombstone: { digest: Buffer; account_id: AccountId | null }
    access_key: AccessKeyTable
    token: { digest: Buffer; account_id: AccountId; created_on: Date; is_over: Generated<boolean> }
    session: SessionTable
    avatar: { account_id: AccountId; content: Buffer }
    preference: { account_id: AccountId; key: string; value: string }
    sign_in_failure: { id: GeneratedAlways<number>; login: Buffer; address: string; on: Date }
    identity_provider: IdentityProviderTable
    account_identity: {
      provider: string
      subject: string
      account_id: AccountId
      created_on: Date
      last_used_on: Date
    }
    identity_session: {
      session_id: string
      provider: string
      subject: string
      sid: string | null
      id_token: Buffer | null
    }
    identity_group: { provider: string; account_id: AccountId; user_group: string }
    directory: DirectoryTable
    directory_account: {
      directory: string
      entry_id: string
      account_id: AccountId
      login: string | null
      suspended_from: 'A' | 'R' | null
      created_on: Date
    }
    directory_group: { directory: string; account_id: AccountId; user_group: string }
    directory_sync: {
      directory: string
      started_on: Date
      ended_on: Date | null
      error: string | null
      has_failed: Generated<boolean>
      counts: ColumnType<SyncCounts, string, string>
    }
    used_identity_token: { digest: Buffer; expires_on: Date }
    known_origin: { account_id: AccountId; kind: 'device' | 'network'; digest: Buffer; last_used_on: Date }
    mailed_link: MailedLinkTable
    address_mail: { digest: Buffer; job_id: number; on: Date }
    mail_request: {
      id: GeneratedAlways<number>
      account_id: AccountId
      kind: string
      count: Generated<number>
      job_id: number | null
      on: Date
    }
  }
}

interface IdentityProviderTable {
  name: string
  settings: ColumnType<ProviderSettings, string, string>
  secret: Buffer | null
  created_on: Date
  version: Generated<number>
}

interface DirectoryTable {
  name: string
  settings: ColumnType<DirectorySettings, string, string>
  secret: Buffer | null
  created_on: Date
  version: Generated<number>
}

interface AccountTable {
  id: Generated<AccountId>
  login: string
  real_name: string
  email: string | null
  pending_email: string | null
  status: Generated<AccountStatus>
  is_site_admin: Generated<boolean>
  password_hash: string | null
  password_expires_on: Date | null
  ldap_id: Generated<string>
  has_avatar: Generated<boolean>
  avatar_key: string | null
  time_zone: string | null
  language: string | null
  text_format: Generated<TextFormat>
  created_on: Date
  erased_on: Date | null
  links_ended_on: Date | null
  version: Generated<number>
  rights_epoch: Generated<number>
  search: GeneratedAlways<string>
}

interface AccessKeyTable {
  id: Generated<AccessKeyId>
  account_id: AccountId
  prefix: string
  digest: Buffer
  description: Generated<string>
  scopes: string[]
  projects: number[] | null
  created_on: Date
  expires_on: Date | null
  is_over: Generated<boolean>
  last_used_on: Date | null
  last_used_by: string | null
}

interface SessionTable {
  id: string
  digest: Buffer
  account_id: AccountId
  created_on: Date
  last_used_on: Date
  confirmed_on: Date | null
  address: string | null
  agent: string | null
}

interface MailedLinkTable {
  id: Generated<number>
  digest: Buffer
  kind: 'password_reset' | 'email_verification' | 'invitation'
  account_id: AccountId | null
  email: string | null
  project_id: number | null
  invited_by: AccountId | null
  created_on: Date
  expires_on: Date
}

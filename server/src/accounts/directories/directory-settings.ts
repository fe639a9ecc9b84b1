import { type Static, Type } from 'typebox'
import { nullable } from '../../platform/wire/nullable.ts'
import { groupMappings } from '../identity/group-mapping.ts'
import { IDENTITY_NAME_PATTERN } from '../identity/identity-name.ts'

const MAX_DN_LENGTH = 1000
const MAX_FILTER_LENGTH = 2000
const distinguishedName = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_DN_LENGTH, trim: true, description })
const filter = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_FILTER_LENGTH, trim: true, description })
const attribute = (description: string) => Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,99}$', description })

const required = {
  label: Type.String({ minLength: 1, maxLength: 60, trim: true, description: 'Its name for people.' }),
  urls: Type.Array(Type.String({ maxLength: 300 }), {
    minItems: 1,
    maxItems: 5,
    uniqueItems: true,
    description: 'Hosts with the same content, tried in this order: `ldaps://ldap.example`, `ldap://10.0.0.5:389`.',
  }),
  people_base: distinguishedName('The entry below which people are.'),
}

const withDefaults = {
  tls: Type.Enum(['ldaps', 'starttls', 'none'], {
    default: 'ldaps',
    description:
      '`ldaps` needs `ldaps://`, the others `ldap://`. `none` sends passwords in clear text, and needs `is_internal`.',
  }),
  ca_certificate: nullable(
    Type.String({ maxLength: 100_000 }),
    'The certificate authority of its hosts as PEM, instead of those that the server trusts.',
  ),
  bind_dn: nullable(distinguishedName('The account that searches.'), 'Null: searches are anonymous.'),
  bind_password_file: Type.Optional(
    nullable(
      Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }),
      'The name of a file in `WAYPOST_IDENTITY_SECRETS` with the password, instead of `bind_password`.',
    ),
  ),
  people_filter: filter('Which entries are people.'),
  disabled_filter: nullable(filter('Which of them may not sign in.'), 'Null: all may.'),
  id_attribute: attribute('Names an entry for ever: `entryUUID`, or `objectGUID` of Active Directory.'),
  login_attribute: attribute('The login: `uid`, or `sAMAccountName`.'),
  name_attribute: attribute('The name of the person: `cn`, or `displayName`.'),
  email_attribute: attribute('The mail address.'),
  match_by: Type.Enum(['id', 'email'], {
    default: 'id',
    description: '`email`: an address finds an account that is not linked yet, unless a site administrator has it.',
  }),
  new_accounts: Type.Enum(['never', 'at_sign_in', 'by_sync'], {
    default: 'never',
    description: 'For people without an account: at their first sign-in, or all of them by the sync.',
  }),
  groups_base: nullable(distinguishedName('The entry below which groups are.'), 'Null: groups are ignored.'),
  groups_filter: filter('Which entries are groups.'),
  member_attribute: attribute('The members of a group, as DNs, or as logins (`memberUid`).'),
  max_group_depth: Type.Integer({
    minimum: 0,
    maximum: 20,
    description: 'How deep members of groups inside of groups count; 0: only direct members.',
  }),
  group_mappings: groupMappings('The DN of a group, or its `cn` if no other group has it.', MAX_DN_LENGTH),
  is_internal: Type.Boolean({ default: false, description: 'Its hosts may have private addresses.' }),
  sync_interval_minutes: nullable(Type.Integer({ minimum: 5, maximum: 10_080 }), 'Null: no sync.'),
  max_suspensions: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    description: 'If more people are missing in a sync, it suspends none of them.',
  }),
  is_enabled: Type.Boolean({ default: true, description: 'False: its people cannot sign in by password; no sync.' }),
}

const DirectorySettings = Type.Object({ ...required, ...withDefaults })
export type DirectorySettings = Static<typeof DirectorySettings>

const bind_password = Type.Optional(
  nullable(Type.String({ minLength: 1, maxLength: 1000 }), 'Never shown again. Null removes it.'),
)

const DirectoryName = Type.String({
  pattern: IDENTITY_NAME_PATTERN,
  description: 'Part of its address. It cannot be changed later.',
})

export const NewDirectory = Type.Object(
  { name: DirectoryName, ...required, bind_password, ...Type.Partial(Type.Object(withDefaults)).properties },
  { title: 'NewDirectory' },
)

export const DirectoryChanges = Type.Object(
  { bind_password, ...Type.Partial(DirectorySettings).properties },
  { title: 'DirectoryChanges', examples: [{ label: 'Company directory' }] },
)

export const SyncCounts = Type.Object(
  {
    people: Type.Integer({ description: 'Entries that were read.' }),
    groups: Type.Integer({ description: 'Groups that were read.' }),
    created: Type.Integer(),
    linked: Type.Integer({ description: 'Accounts that were found by their address.' }),
    updated: Type.Integer(),
    reactivated: Type.Integer(),
    suspended: Type.Integer(),
    missing: Type.Integer({ description: 'Linked people who may sign in here, but not in the directory.' }),
    unusable: Type.Integer({
      description: 'Entries without an id or a login, or without an address for a new account.',
    }),
    conflicts: Type.Integer({ description: 'Entries whose address belongs to another account.' }),
    joined: Type.Integer({ description: 'New memberships.' }),
    left: Type.Integer({ description: 'Ended memberships.' }),
  },
  { title: 'DirectorySyncCounts' },
)
export type SyncCounts = Static<typeof SyncCounts>

export const DirectoryAnswer = Type.Object(
  {
    name: Type.String(),
    uri: Type.String(),
    ...DirectorySettings.properties,
    bind_password_file: nullable(Type.String()),
    has_bind_password: Type.Boolean({ description: 'A password is stored. It is never shown.' }),
    last_sync: nullable(
      Type.Object(
        {
          started_on: Type.String(),
          ended_on: nullable(Type.String(), 'Null: it is running.'),
          error: nullable(Type.String(), 'Why it failed, or left something out. In English.'),
          counts: SyncCounts,
        },
        { title: 'DirectorySync' },
      ),
      'Null: there was none.',
    ),
  },
  { title: 'Directory' },
)

export const DIRECTORY_DEFAULTS = {
  tls: 'ldaps',
  ca_certificate: null,
  bind_dn: null,
  bind_password_file: null,
  people_filter: '(objectClass=person)',
  disabled_filter: null,
  id_attribute: 'entryUUID',
  login_attribute: 'uid',
  name_attribute: 'cn',
  email_attribute: 'mail',
  match_by: 'id',
  new_accounts: 'never',
  groups_base: null,
  groups_filter: '(|(objectClass=groupOfNames)(objectClass=group))',
  member_attribute: 'member',
  max_group_depth: 10,
  group_mappings: [],
  is_internal: false,
  sync_interval_minutes: 60,
  max_suspensions: 100,
  is_enabled: true,
} satisfies Partial<DirectorySettings>

export function emptyCounts(): SyncCounts {
  return {
    people: 0,
    groups: 0,
    created: 0,
    linked: 0,
    updated: 0,
    reactivated: 0,
    suspended: 0,
    missing: 0,
    unusable: 0,
    conflicts: 0,
    joined: 0,
    left: 0,
  }
}

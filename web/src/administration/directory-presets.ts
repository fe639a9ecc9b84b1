import type { NewDirectory } from '@waypost/sdk/api'

export type DirectoryKind = 'openldap' | 'active_directory'

/** The settings in which kinds of directories differ. */
export const DIRECTORY_PRESETS = {
  openldap: {
    people_filter: '(objectClass=inetOrgPerson)',
    disabled_filter: null,
    id_attribute: 'entryUUID',
    login_attribute: 'uid',
    name_attribute: 'cn',
    email_attribute: 'mail',
    groups_filter: '(objectClass=groupOfNames)',
    member_attribute: 'member',
  },
  active_directory: {
    people_filter: '(&(objectCategory=person)(objectClass=user))',
    disabled_filter: '(userAccountControl:1.2.840.113556.1.4.803:=2)',
    id_attribute: 'objectGUID',
    login_attribute: 'sAMAccountName',
    name_attribute: 'displayName',
    email_attribute: 'mail',
    groups_filter: '(objectClass=group)',
    member_attribute: 'member',
  },
} as const satisfies Record<DirectoryKind, Partial<NewDirectory>>

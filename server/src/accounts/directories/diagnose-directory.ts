import { FilterParser } from 'ldapts'
import type { Context } from '../../platform/operation/context.ts'
import type { Directory } from './directory.ts'
import { type DirectoryConnection, SIGN_IN_LIMITS, withDirectory } from './directory-connection.ts'
import { DirectoryUnavailable } from './directory-error.ts'
import { type DirectoryPerson, personAttributes, personFilter, readPerson, readTexts } from './directory-person.ts'

/** One thing that was looked at. */
export interface DirectoryFinding {
  readonly check: 'settings' | 'connection' | 'people' | 'groups'
  readonly state: 'ok' | 'warning' | 'wrong'
  readonly detail: string
}

const SAMPLE_SIZE = 20

/** Looks at everything that a sign-in and a sync need, and that can be tried without a person. It changes nothing. */
export async function diagnoseDirectory(context: Context, directory: Directory): Promise<DirectoryFinding[]> {
  const findings = checkDirectorySettings(directory)
  for (const url of directory.settings.urls) {
    const host = { ...directory, settings: { ...directory.settings, urls: [url] } }
    try {
      findings.push(
        ...(await withDirectory(context, host, SIGN_IN_LIMITS, async (connection) => [
          { check: 'connection' as const, state: 'ok' as const, detail: `${url} takes the account that searches.` },
          await checkPeople(host, connection),
          ...(await checkGroups(host, connection)),
        ])),
      )
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable)) throw error
      findings.push({ check: 'connection', state: 'wrong', detail: error.message })
    }
  }
  return findings
}

function checkDirectorySettings({ settings }: Directory): DirectoryFinding[] {
  const { is_enabled, tls, bind_dn, new_accounts, match_by, sync_interval_minutes } = settings
  const { groups_base, group_mappings } = settings
  const warnings = [
    !is_enabled && 'The directory is switched off: its people cannot sign in by password.',
    tls === 'none' &&
      'PASSWORDS ARE SENT IN CLEAR TEXT: everybody on the way can read them. Use `starttls` or `ldaps`.',
    bind_dn === null && 'Searches are anonymous: many directories show little or nothing to strangers.',
    new_accounts === 'never' &&
      match_by === 'id' &&
      'Only accounts that were linked before can sign in: new ones are not made, and addresses are not compared.',
    match_by === 'email' && 'Addresses find accounts: the people of the directory must not be able to choose theirs.',
    sync_interval_minutes === null &&
      'There is no sync: people who leave keep their sessions and keys, and groups are not followed.',
    groups_base === null && group_mappings.length > 0 && 'Groups are mapped, but `groups_base` names no entry.',
  ].filter((each) => each !== false)
  if (warnings.length === 0) return [{ check: 'settings', state: 'ok', detail: 'The settings fit together.' }]
  return warnings.map((detail) => ({ check: 'settings', state: 'warning', detail }))
}

async function checkPeople({ settings }: Directory, connection: DirectoryConnection): Promise<DirectoryFinding> {
  const entries = await connection.search({
    base: settings.people_base,
    filter: personFilter(settings),
    attributes: personAttributes(settings),
    maxEntries: SAMPLE_SIZE,
  })
  const people = entries.flatMap((entry) => readPerson(entry, settings) ?? [])
  if (entries.length === 0)
    return { check: 'people', state: 'wrong', detail: 'No people were found: check `people_base` and `people_filter`.' }
  const missing = missingAttributes(settings, entries.length, people)
  if (missing.length > 0)
    return { check: 'people', state: people.length === 0 ? 'wrong' : 'warning', detail: missing.join(' ') }
  return { check: 'people', state: 'ok', detail: `The first ${entries.length} people have what an account needs.` }
}

function missingAttributes(
  { id_attribute, login_attribute, name_attribute, email_attribute }: Directory['settings'],
  total: number,
  people: readonly DirectoryPerson[],
): string[] {
  const without = (count: number, attributes: string) =>
    count > 0 && `${count} of the first ${total} people have no usable ${attributes}.`
  return [
    without(total - people.length, `\`${id_attribute}\` or \`${login_attribute}\``),
    without(people.filter(({ name }) => name === undefined).length, `\`${name_attribute}\``),
    without(people.filter(({ email }) => email === undefined).length, `\`${email_attribute}\``),
  ].filter((each) => each !== false)
}

async function checkGroups({ settings }: Directory, connection: DirectoryConnection): Promise<DirectoryFinding[]> {
  const { groups_base, groups_filter, member_attribute } = settings
  if (groups_base === null) return []
  const entries = await connection.search({
    base: groups_base,
    filter: FilterParser.parseString(groups_filter),
    attributes: ['cn', member_attribute],
    maxEntries: SAMPLE_SIZE,
  })
  if (entries.length === 0)
    return [
      { check: 'groups', state: 'wrong', detail: 'No groups were found: check `groups_base` and `groups_filter`.' },
    ]
  const filled = entries.filter((entry) => readTexts(entry, member_attribute).length > 0).length
  const detail = `${filled} of the first ${entries.length} groups have members in \`${member_attribute}\`.`
  return [{ check: 'groups', state: filled === 0 ? 'warning' : 'ok', detail }]
}

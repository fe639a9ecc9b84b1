import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { DIRECTORY_PASSWORD, groupLdif } from '../../../test/fixtures/directory-people.ts'
import { ADA } from '../../../test/fixtures/people.ts'
import { SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { PEOPLE_BASE, slapdSettings, startSlapd } from '../../../test/peers/slapd.ts'
import { findDirectory } from './directory.ts'
import { formatGuid, parseGuid } from './object-guid.ts'
import { syncDirectory } from './sync/sync-directory.ts'

/** The second one begins like a byte order mark, which a text would lose. */
const GUIDS = [
  '00112233445566778899aabbccddeeff',
  'efbbbf00112233445566778899aabbcc',
  'ffeeddccbbaa99887766554433221100',
]
const [IVO = '', JUNE = '', KARL = ''] = GUIDS

const entry = (login: string, guid: string, control: number) => `dn: cn=${login},${PEOPLE_BASE}
objectClass: user
cn: ${login}
sn: ${login}
displayName: ${login} of the domain
mail: ${login}@orchard.example
sAMAccountName: ${login}
objectGUID:: ${Buffer.from(guid, 'hex').toString('base64')}
userAccountControl: ${control}
userPassword: ${DIRECTORY_PASSWORD}
`
const slapd = await startSlapd({
  ldif: [
    entry('ivo', IVO, 512),
    entry('june', JUNE, 66_048),
    entry('karl', KARL, 514),
    groupLdif('staff', [`CN=Ivo,${PEOPLE_BASE}`]),
  ].join('\n'),
})
afterAll(() => slapd.close())
const { api, context } = await startWorld()

/** The settings of the walk-through in docs/identity.md. */
beforeEach(async () => {
  const body = {
    name: 'domain',
    ...slapdSettings(slapd),
    people_filter: '(&(objectClass=user)(!(objectClass=computer)))',
    disabled_filter: '(userAccountControl:1.2.840.113556.1.4.803:=2)',
    id_attribute: 'objectGUID',
    login_attribute: 'sAMAccountName',
    name_attribute: 'displayName',
    new_accounts: 'by_sync',
  }
  const answer = await api.post('/directories', { as: ADA, body })
  if (answer.status !== 201) throw new Error(answer.text)
})

const signIn = (username: string) =>
  api.post('/session', { headers: SAME_ORIGIN_HEADERS, body: { username, password: DIRECTORY_PASSWORD } })
const sync = async () => {
  const directory = await findDirectory(context.db, 'domain')
  return directory && syncDirectory(context, directory)
}

describe('entries as in Active Directory', () => {
  test('are people with a binary id, unless they are disabled', async () => {
    expect(await sync()).toMatchObject({ people: 2, created: 2 })
    expect(await signIn('june')).toMatchObject({ status: 201, json: { user: { real_name: 'june of the domain' } } })
    expect(await signIn('ivo')).toMatchObject({ status: 201 })
    expect(await signIn('karl')).toMatchObject(refused(401, 'credentials_invalid'))
    expect(await sync()).toMatchObject({ created: 0, updated: 0, missing: 0 })
  })

  test('sign in without a sync, too', async () => {
    expect(await signIn('june')).toMatchObject({ status: 201 })
    expect(await signIn('june')).toMatchObject({ status: 201 })
    expect(await signIn('karl')).toMatchObject(refused(401, 'credentials_invalid'))
  })
})

describe('an objectGUID', () => {
  test('is shown as tools of Active Directory show it, and found by that', () => {
    const text = formatGuid(Buffer.from(IVO, 'hex'))
    expect(text).toBe('33221100-5544-7766-8899-aabbccddeeff')
    expect(parseGuid('33221100-5544-7766-8899-AABBCCDDEEFF')?.toString('hex')).toBe(IVO)
    expect(parseGuid('33221100')).toBeUndefined()
    expect(formatGuid(Buffer.alloc(15))).toBeUndefined()
  })
})

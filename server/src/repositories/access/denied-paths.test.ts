import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'

const { api, svn, svnmucc, dav, run, work, svnOrigin } = await startSvnWorld()
const CORE = `${svnOrigin}/svn/orchard/core`
const SECRET = 'planted-secret-71c4'
const SETTINGS = {
  commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
  immutable_tags: { paths: [], whitelist: [] },
  email_notifications: [],
}
let id: number

beforeAll(async () => {
  const settings = { layout: ['a/b/c', 'a/d', `hidden-${SECRET}/deep`, 'trunk'] }
  id = (await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })).json.id
  const file = join(work, 'secret')
  await writeFile(file, `${SECRET}\n`)
  const ci = (...actions: readonly string[]) => svnmucc(MARA, '--root-url', CORE, '-m', 'x', ...actions)
  await ci('put', file, `hidden-${SECRET}/file`)
  await ci('put', file, 'a/b/Key')
  // A copy out of the hidden folder names it as its source.
  await ci('cp', 'HEAD', `hidden-${SECRET}/file`, 'trunk/copied', 'rm', 'trunk/copied')
  await ci(
    'cp',
    'HEAD',
    `hidden-${SECRET}/deep`,
    'trunk/deep',
    'propset',
    'svn:mergeinfo',
    `/hidden-${SECRET}:1-2`,
    `hidden-${SECRET}`,
  )
})

const set = (access_file: string, has_default_permissions = true) =>
  api.put(`/svn/${id}`, { as: MARA, body: { settings: { ...SETTINGS, access_file, has_default_permissions } } })

describe('a path that the access file denies', () => {
  beforeAll(() => set(`[/hidden-${SECRET}]\n* =\nmara = rw\n[/a/b]\n* =\n`))

  test('Z35 reveals neither its name nor its content through any Subversion request', async () => {
    const hidden = `${CORE}/hidden-${SECRET}`
    const ways: (readonly string[])[] = [
      ['ls', '-R', CORE],
      ['ls', '-R', '-v', CORE],
      ['log', '-v', CORE],
      ['log', '-v', '-g', CORE],
      ['log', '-v', '--diff', CORE],
      ['log', '-v', `${CORE}/trunk/deep`],
      ['info', '-R', CORE],
      ['diff', '-r', '0:HEAD', CORE],
      ['diff', '--summarize', '-r', '0:HEAD', CORE],
      ['mergeinfo', '--show-revs', 'eligible', CORE, `${CORE}/trunk`],
      ['proplist', '-v', '-R', CORE],
      ['export', '--force', CORE, join(work, 'export')],
    ]
    for (const args of ways) {
      const { out, error } = await svn(TOM, ...args)
      expect((out + error).includes(SECRET), args.join(' ')).toBe(false)
    }
    for (const args of [
      ['cat', `${hidden}/file`],
      ['blame', `${hidden}/file`],
      ['ls', hidden],
      ['log', hidden],
    ]) {
      const { code, out } = await svn(TOM, ...args)
      expect([code, out]).toEqual([1, ''])
    }
    const dumped = await run(
      'svnrdump',
      [
        'dump',
        CORE,
        '--non-interactive',
        '--no-auth-cache',
        '--username',
        TOM.login,
        '--password',
        'correct horse battery staple',
      ],
      TOM,
    )
    expect(dumped.out.includes(SECRET)).toBe(false)
    for (const depth of ['1', 'infinity']) {
      const { text } = await dav('PROPFIND', '/svn/orchard/core/', { as: TOM, headers: { depth } })
      expect(text.includes(`hidden-${SECRET}/`)).toBe(false)
    }
    expect((await svn(MARA, 'cat', `${hidden}/file`)).out).toBe(`${SECRET}\n`)
  })

  test('Z37 is denied in every spelling', async () => {
    const status = async (path: string) => (await dav('GET', path, { as: TOM })).status
    expect(await status('/svn/orchard/core/a/b/Key')).toBe(403)
    for (const spelling of [
      '/svn/orchard/core/a//b/Key',
      '/svn/orchard/core/a/./b/Key',
      '/svn/orchard/core/a/d/../b/Key',
      '/svn/orchard/core/a/d/%2e%2e/b/Key',
      '/svn/orchard/core/a/%62/Key',
      '/svn/orchard/core/a%2fb/Key',
      '/svn/orchard/core/a/b/Key/',
      '/svn/orchard/core/a/b/',
      '/svn/orchard/core/a/b/c',
      '/svn/orchard/core/A/b/Key',
      '/svn//orchard/core/a/b/Key',
      '/svnplugin/orchard/core/a/b/Key',
      '/svn/orchard/core/!svn/bc/3/a/b/Key',
      '/svn/orchard/core/!svn/ver/3/a/b/Key',
      '/svn/orchard/core/!svn/rvr/3/a/b/Key',
      '/svn/orchard/core/a/b/Key?p=3',
      '/svn/orchard/core/a/b/Key?p=3&r=3',
      '/svn/orchard/core/a/%2562/Key',
      '/svn/orchard/core/../core/a/b/Key',
    ]) {
      const answer = await dav('GET', spelling, { as: TOM })
      expect([400, 403, 404, 405].includes(answer.status), `${spelling}: ${answer.status}`).toBe(true)
      expect(answer.text.includes(SECRET), spelling).toBe(false)
    }
    expect(await status('/svn/orchard/core/../../vault/hoard/')).toBe(404)
  })
})

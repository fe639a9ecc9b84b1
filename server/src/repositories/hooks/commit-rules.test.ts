import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ADA, MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { LEDGER_SECRET, LOST_BUG, OPEN_BUG, ORCHARD, SAFE_SECRET } from '../../../test/fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../../../test/fixtures/seed-artifacts.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'

const { api, context, svn, svnmucc, put, dav, run, work, root, svnOrigin } = await startSvnWorld()
const CORE = `${svnOrigin}/svn/orchard/core`
const SETTINGS = {
  commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
  immutable_tags: { paths: [], whitelist: [] },
  access_file: '',
  email_notifications: [],
}
let id: number

beforeAll(async () => {
  await seedTestArtifacts(context.db)
  const settings = { layout: ['trunk/web', 'tags/moduleA', 'tags/moduleB', 'tags2', 'web/tags', 'web/sub/tags'] }
  const { json } = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })
  id = json.id
  await put(TOM, `${CORE}/trunk/readme`, 'one\n', 'A file.')
})

const set = (changes: object) => api.put(`/svn/${id}`, { as: MARA, body: { settings: { ...SETTINGS, ...changes } } })
const rules = (is_reference_mandatory: boolean, is_commit_message_change_allowed = false) =>
  set({ commit_rules: { is_reference_mandatory, is_commit_message_change_allowed } })
const youngest = async () => Number((await svn(TOM, 'info', '--show-item', 'revision', CORE)).out)
let count = 0
const commit = (message: string, as = TOM) => svn(as, 'mkdir', '-m', message, `${CORE}/trunk/d${count++}`)

describe('messages', () => {
  test('must not be empty, unless the platform allows it', async () => {
    const before = await youngest()
    for (const message of ['', '  \n\t ']) {
      const { code, error } = await commit(message)
      expect([code, error.includes('A commit needs a message.')]).toEqual([1, true])
    }
    expect(await youngest()).toBe(before)
    await api.patch('/settings', { as: ADA, body: { svn_empty_messages: true } })
    expect((await commit('')).code).toBe(0)
    await api.patch('/settings', { as: ADA, body: { svn_empty_messages: false } })
    expect((await commit('')).code).toBe(1)
  })

  test('must name an object in a project that the committer may enter, if the repository requires it', async () => {
    await rules(true)
    for (const message of [
      'nothing',
      `art#${OPEN_BUG}`,
      'art #999999',
      `art #${SAFE_SECRET}`,
      `art #${LOST_BUG}`,
      `unknown #${OPEN_BUG}`,
      'art #12a',
      'svn #core',
    ]) {
      const { code, error } = await commit(message)
      expect([code, error.includes('The message must name')], message).toEqual([1, true])
    }
    // Read permission for the artifact is not checked: Tom cannot read Ledger.
    for (const message of [
      `closes art #${OPEN_BUG}`,
      `Bug #${OPEN_BUG}`,
      `bug #orchard:${OPEN_BUG}`,
      `artifact #${LEDGER_SECRET}`,
      'rev #core/1',
    ])
      expect((await commit(message)).error, message).toBe('')
    await rules(false)
    expect((await commit('nothing')).code).toBe(0)
  })

  test('of old revisions are immutable, unless the repository allows changes, which follow the same rules', async () => {
    const change = (text: string) => svn(TOM, 'propset', '--revprop', '-r', '2', 'svn:log', text, CORE)
    await rules(false)
    expect((await change('Other words.')).error).toContain('may not be changed in this repository')
    await rules(true, true)
    expect((await change('Other words.')).error).toContain('The message must name')
    expect((await change(' ')).error).toContain('A commit needs a message.')
    const text = `Other words for art #${OPEN_BUG}: "$(id)" '; \`x\``
    expect((await change(text)).error).toBe('')
    expect((await svn(TOM, 'propget', '--revprop', '-r', '2', 'svn:log', CORE)).out.trim()).toBe(text)
    for (const args of [
      ['propset', '--revprop', '-r', '2', 'svn:author', 'olga', CORE],
      ['propset', '--revprop', '-r', '2', 'svn:date', '2020-01-01T00:00:00.000000Z', CORE],
      ['propset', '--revprop', '-r', '2', 'own', 'x', CORE],
      ['propdel', '--revprop', '-r', '2', 'svn:log', CORE],
    ])
      expect((await svn(TOM, ...args)).error, args.join(' ')).toContain('only its message may be changed')
    expect((await svn(OLGA, 'propset', '--revprop', '-r', '2', 'svn:log', text, CORE)).code).toBe(1)
    await rules(false)
  })

  test('I25 are stored verbatim, including shell metacharacters', async () => {
    const message = `$(touch /tmp/x) \`id\` "; rm -rf ' | & \\ %s ☃ ${'long '.repeat(200_000)}`
    const file = join(work, 'message')
    await writeFile(file, message)
    expect((await svn(TOM, 'mkdir', '-F', file, `${CORE}/trunk/shell`)).error).toBe('')
    const { out } = await svn(TOM, 'propget', '--revprop', '-r', 'HEAD', 'svn:log', CORE)
    expect(out.trim()).toBe(message.trim())
  })
})

describe('immutable tags', () => {
  const immutable = (paths: string[], whitelist: string[] = []) => set({ immutable_tags: { paths, whitelist } })
  const ci = (...actions: readonly string[]) => svnmucc(TOM, '--root-url', CORE, '-m', 'x', ...actions)

  test('Z39 are added as a whole, and never changed', async () => {
    await immutable(['/tags'], ['/tags/moduleA'])
    const file = join(work, 'file')
    await writeFile(file, 'other\n')
    const before = await youngest()
    expect((await ci('cp', 'HEAD', 'trunk', 'tags/v1')).error).toBe('')
    expect((await ci('cp', 'HEAD', 'trunk', 'tags/moduleA/v1')).error).toBe('')
    expect((await ci('mkdir', 'tags/empty')).error).toBe('')
    expect(await youngest()).toBe(before + 3)
    const refused: (readonly string[])[] = [
      ['cp', 'HEAD', 'trunk', 'tags/v2', 'put', file, 'tags/v2/readme'],
      ['mkdir', 'tags/v2', 'put', file, 'tags/v2/readme'],
      ['put', file, 'tags/v1/readme'],
      ['rm', 'tags/v1'],
      ['rm', 'tags/v1/readme'],
      ['rm', 'tags'],
      ['mv', 'tags', 'elsewhere'],
      ['rm', 'tags/v1', 'cp', 'HEAD', 'trunk', 'tags/v1'],
      ['mkdir', 'tags/moduleB/v1'],
      ['put', file, 'tags/moduleA/v1/notes'],
      ['put', file, 'tags/moduleA/v1/readme'],
      ['propset', 'p', 'v', 'tags/v1'],
      ['propset', 'p', 'v', 'tags'],
    ]
    for (const actions of refused) {
      const { code, error } = await ci(...actions)
      expect([code, /is a tag, or lies in one|inside of a tag/.test(error)], actions.join(' ')).toEqual([1, true])
    }
    expect(await youngest()).toBe(before + 3)
    expect((await ci('put', file, 'tags2/free')).error).toBe('')
    expect((await ci('put', file, 'tags2/free', 'propset', 'p', 'v', 'trunk')).error).toBe('')
  })

  test('may use a star for one segment; removing a parent folder counts as removing them', async () => {
    await immutable(['*/tags/'])
    expect((await ci('mkdir', 'web/tags/v1')).error).toBe('')
    expect((await ci('mkdir', 'web/tags/v1/x')).code).toBe(1)
    expect((await ci('mkdir', 'web/sub/tags/v1')).error).toBe('')
    expect((await ci('mkdir', 'web/sub/tags/v1/x')).error).toBe('')
    expect((await ci('mv', 'web', 'net')).error).toContain('/web is a tag, or lies in one')
    expect((await ci('rm', 'tags2')).error).toBe('')
    await immutable([])
    expect((await ci('rm', 'web')).error).toBe('')
  })

  test('Z40 are protected from raw WebDAV requests', async () => {
    await immutable(['/tags'])
    const before = await youngest()
    const me = await dav('POST', '/svn/orchard/core/!svn/me', {
      as: TOM,
      headers: { 'content-type': 'application/vnd.svn-skel' },
      body: '( create-txn )',
    })
    const name = String(me.headers['svn-txn-name'])
    expect(me.status).toBe(201)
    const path = `/svn/orchard/core/!svn/txr/${name}/tags/v1/readme`
    expect((await dav('PUT', path, { as: TOM, body: 'changed' })).status).toBe(204)
    const merge = `<?xml version="1.0"?><D:merge xmlns:D="DAV:"><D:source><D:href>/svn/orchard/core/!svn/txn/${name}</D:href></D:source><D:no-auto-merge/><D:no-checkout/><D:prop/></D:merge>`
    const merged = await dav('MERGE', '/svn/orchard/core/', {
      as: TOM,
      headers: { 'content-type': 'text/xml' },
      body: merge,
    })
    expect(merged.status).toBeGreaterThanOrEqual(400)
    expect(merged.text).toContain('A commit needs a message.')
    expect((await dav('PUT', '/svn/orchard/core/trunk/plain', { as: TOM, body: 'x' })).status).toBe(409)
    expect((await dav('MKACTIVITY', '/svn/orchard/core/!svn/act/1', { as: OLGA })).status).toBe(403)
    expect(await youngest()).toBe(before)
  })
})

describe('files', () => {
  test('must not exceed the size limit of the platform', async () => {
    await set({})
    await api.patch('/settings', { as: ADA, body: { svn_file_limit_mb: 1 } })
    const before = await youngest()
    const { error } = await put(TOM, `${CORE}/trunk/large`, 'x'.repeat(2 ** 20 + 1), 'Large.')
    expect(error).toContain('/trunk/large is larger than 1 MB.')
    expect(await youngest()).toBe(before)
    expect((await put(TOM, `${CORE}/trunk/fits`, 'x'.repeat(2 ** 20), 'Fits.')).error).toBe('')
    await api.patch('/settings', { as: ADA, body: { svn_file_limit_mb: 0 } })
  })

  test('I22 must not have control characters in their names, and the repository stays intact', async () => {
    const before = await youngest()
    for (const name of ['a%0Ab', 'a%01b', 'a%7Fb', 'x'.repeat(300)])
      await svn(TOM, 'mkdir', '-m', 'x', `${CORE}/trunk/${name}`)
    const { out } = await svn(TOM, 'ls', `${CORE}/trunk`)
    // oxlint-disable-next-line no-control-regex -- They are what must not be there.
    expect(/[\u0001-\u0009\u007f]/.test(out)).toBe(false)
    expect(await youngest()).toBeLessThanOrEqual(before + 1)
    expect((await run('svnadmin', ['verify', '-q', join(root, 'repositories', 'orchard', 'core')])).code).toBe(0)
  })

  test('can be locked against changes by others', async () => {
    const copy = join(work, 'locking')
    await mkdir(copy)
    expect((await svn(TOM, 'lock', `${CORE}/trunk/readme`)).error).toBe('')
    expect((await put(MARA, `${CORE}/trunk/readme`, 'other', 'x')).error).toContain('lock')
    expect((await svn(TOM, 'unlock', `${CORE}/trunk/readme`)).error).toBe('')
    expect((await put(MARA, `${CORE}/trunk/readme`, 'other', 'x')).error).toBe('')
  })
})

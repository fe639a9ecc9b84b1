import { beforeAll, expect, test } from 'vitest'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { GUS, MARA, OLGA, SAM, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'

const { url, mails } = await startMailPeer()
const { api, context, svnmucc, svnOrigin } = await startSvnWorld({ WAYPOST_SMTP_URL: url })
const CORE = `${svnOrigin}/svn/orchard/core`

const PAGES = 'https://waypost.example/projects/orchard/repositories/core/revisions'

const notification = (path: string, more: object) => ({ path, emails: [], users: [], user_groups: [], ...more })
const commit = async (message: string, ...actions: readonly string[]) => {
  const { error } = await svnmucc(UMA, '--root-url', CORE, '-m', message, ...actions)
  expect(error).toBe('')
  await runJobs(context)
  return mails.flatMap(({ to }) => to).toSorted()
}

beforeAll(async () => {
  const settings = {
    layout: ['trunk/web', 'trunk/old', 'secret', 'branches'],
    access_file: '[/secret]\n* =\n@leads = rw',
    email_notifications: [
      notification('/trunk', {
        emails: ['dev@waypost.example', TOM.email.toUpperCase()],
        users: [TOM.id, OLGA.id],
        user_groups: [`${ORCHARD}_4`],
      }),
      notification('/*/web', { emails: ['DEV@waypost.example', 'web@waypost.example'], user_groups: [String(LEADS)] }),
      notification('/secret', { users: [TOM.id, UMA.id], emails: ['outside@waypost.example'] }),
    ],
  }
  await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })
})

test('a commit is mailed to the subscribers of its directories or their parents, once per address', async () => {
  const addresses = await commit(
    'New pages: {link}\n\nand more.',
    'mkdir',
    'trunk/web/a',
    'rm',
    'trunk/old',
    'propset',
    'p',
    'v',
    'trunk/web',
  )
  expect(addresses).toEqual(
    ['dev@waypost.example', 'web@waypost.example', ...[TOM, OLGA, MARA, UMA, GUS].map(({ email }) => email)].toSorted(),
  )
  const mail = mails.find(({ to }) => to.includes('web@waypost.example'))
  expect(mail?.subject).toBe('orchard/core r2 /trunk /trunk/web')
  expect(mail?.text).toContain('Author: uma\n')
  expect(mail?.text).toContain(
    `https://waypost.example/goto?key=svn&val=core%2F2&group_id=${ORCHARD}\n\nNew pages: {link}\n\nand more.\n`,
  )
  const changed = (path: string) => `  ${path}\n  ${PAGES}/2#${path}\n`
  expect(mail?.text).toContain(
    `Updated:\n${changed('/trunk/web')}\nAdded:\n${changed('/trunk/web/a')}\nDeleted:\n${changed('/trunk/old')}`,
  )
})

test('the diff link of a file works for every file name', async () => {
  await commit('Odd.', 'mkdir', 'trunk/web/a b#c ü?')
  const mail = mails.find(({ to }) => to.includes('web@waypost.example'))
  expect(mail?.text).toContain(`  /trunk/web/a b#c ü?\n  ${PAGES}/3#/trunk/web/a%20b%23c%20%C3%BC%3F\n`)
})

test('a commit elsewhere is mailed to no one', async () => {
  expect(await commit('A branch.', 'mkdir', 'branches/one')).toEqual([])
})

test('recipients who may not read the changed paths get no mail', async () => {
  expect(await commit('Secret.', 'mkdir', 'secret/one')).toEqual([UMA.email])
})

test('R15 an address without an account gets no mail about paths that anonymous readers may not read', async () => {
  expect(await commit('Secret.', 'mkdir', 'secret/two')).toEqual([UMA.email])
  expect(await commit('Both.', 'mkdir', 'trunk/web/b', 'mkdir', 'secret/three')).not.toContain('web@waypost.example')
  expect(await commit('Open.', 'mkdir', 'trunk/web/c')).toContain('web@waypost.example')
})

test('a queued mail is not sent to a recipient who lost access', async () => {
  const settings = { email_notifications: [notification('/', { users: [VICTOR.id, TOM.id, OLGA.id] })] }
  const made = await api.post('/svn', { as: VICTOR, body: { project_id: VAULT, name: 'hoard', settings } })
  expect(made.status).toBe(201)
  const { error } = await svnmucc(VICTOR, '--root-url', made.json.svn_url, '-m', 'Gold.', 'mkdir', 'gold')
  expect(error).toBe('')
  await runJobs(context)
  expect(mails.flatMap(({ to }) => to)).toEqual([VICTOR.email])
  expect(SAM.status).toBe('S')
})

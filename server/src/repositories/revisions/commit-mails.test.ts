import { beforeAll, expect, test } from 'vitest'
import { startMailPeer } from '../../../test/mail-peer.ts'
import { GUS, MARA, OLGA, SAM, TOM, UMA, VICTOR } from '../../../test/people.ts'
import { LEADS, ORCHARD, VAULT } from '../../../test/places.ts'
import { runJobs } from '../../../test/run-jobs.ts'
import { startSvnWorld } from '../../../test/svn.ts'

const { url, mails } = await startMailPeer()
const { api, context, svnmucc, svnOrigin } = await startSvnWorld({ WAYPOST_SMTP_URL: url })
const CORE = `${svnOrigin}/svn/orchard/core`

const PAGES = 'https://waypost.example/projects/orchard/repositories/core/revisions'

const told = (path: string, more: object) => ({ path, emails: [], users: [], user_groups: [], ...more })
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
      told('/trunk', {
        emails: ['dev@waypost.example', TOM.email.toUpperCase()],
        users: [TOM.id, OLGA.id],
        user_groups: [`${ORCHARD}_4`],
      }),
      told('/*/web', { emails: ['DEV@waypost.example', 'web@waypost.example'], user_groups: [String(LEADS)] }),
      told('/secret', { users: [TOM.id, UMA.id] }),
    ],
  }
  await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })
})

test('a commit is mailed to those who asked for its directories or those above, each address once', async () => {
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

test('the address of what a file has changed can be clicked, whatever the file is called', async () => {
  await commit('Odd.', 'mkdir', 'trunk/web/a b#c ü?')
  const mail = mails.find(({ to }) => to.includes('web@waypost.example'))
  expect(mail?.text).toContain(`  /trunk/web/a b#c ü?\n  ${PAGES}/3#/trunk/web/a%20b%23c%20%C3%BC%3F\n`)
})

test('a commit elsewhere is mailed to nobody', async () => {
  expect(await commit('A branch.', 'mkdir', 'branches/one')).toEqual([])
})

test('who may not read what was changed is told nothing of it', async () => {
  expect(await commit('Secret.', 'mkdir', 'secret/one')).toEqual([UMA.email])
})

test('a mail that waits is not sent to one who may no longer enter', async () => {
  const settings = { email_notifications: [told('/', { users: [VICTOR.id, TOM.id, OLGA.id] })] }
  const made = await api.post('/svn', { as: VICTOR, body: { project_id: VAULT, name: 'hoard', settings } })
  expect(made.status).toBe(201)
  const { error } = await svnmucc(VICTOR, '--root-url', made.json.svn_url, '-m', 'Gold.', 'mkdir', 'gold')
  expect(error).toBe('')
  await runJobs(context)
  expect(mails.flatMap(({ to }) => to)).toEqual([VICTOR.email])
  expect(SAM.status).toBe('S')
})

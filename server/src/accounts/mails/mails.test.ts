import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { startMailPeer } from '../../../test/mail-peer.ts'
import { MARA, type Person, PIA, RITA, SAM, TOM } from '../../../test/people.ts'
import { runJobs } from '../../../test/run-jobs.ts'
import { install } from '../../platform/words/catalogue.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { ACCOUNT_MAILS } from './mails.ts'

const peer = await startMailPeer()
const { context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

describe('a mail', () => {
  test('tells the owner of a new access key what it may do', async () => {
    await order({
      template: 'access_key_created',
      account_id: MARA.id,
      params: { description: 'nightly', scopes: ['write:rest', 'write:svn'] },
    })

    expect(peer.mails).toMatchObject([{ to: [MARA.email], subject: 'A new access key for Waypost' }])
    expect(peer.mails[0]?.text).toContain('Description: nightly\nScopes: write:rest, write:svn\n')
    expect(peer.mails[0]?.text).toContain('https://waypost.example/account/keys-tokens')
  })

  test.each([
    { template: 'password_reset', page: 'reset', hours: 1 },
    { template: 'invite_account', page: 'reset', hours: 7 * 24 },
  ])('of the kind $template carries a link whose secret is nowhere else', async ({ template, page, hours }) => {
    await order({ template, account_id: MARA.id })

    const secret =
      new RegExp(`https://waypost\\.example/account/${page}#([\\w-]{43})\n`).exec(peer.mails[0]?.text ?? '')?.[1] ?? ''
    expect(await links()).toEqual([
      {
        digest: sha256(Buffer.from(secret, 'base64url')),
        kind: 'password_reset',
        account_id: MARA.id,
        expires_on: new Date(clock.now().getTime() + hours * 3_600_000),
      },
    ])
    const { rows } = await sql<{
      everything: string
    }>`select string_agg(job::text, ' ') as everything from job`.execute(context.db)
    expect(rows[0]?.everything).not.toContain(secret)
  })

  test('makes only the newest link count', async () => {
    await order({ template: 'password_reset', account_id: MARA.id })
    const [first] = await links()
    await order({ template: 'password_reset', account_id: MARA.id })
    await order({ template: 'password_reset', account_id: TOM.id })

    const left = await links()
    expect(left.map(({ account_id }) => account_id)).toEqual([MARA.id, TOM.id])
    expect(left).not.toContainEqual(first)
  })

  test('that the server refuses is sent later under the same id, with a link that works', async () => {
    peer.refuseWith({ code: 451, message: 'later' })
    await order({ template: 'password_reset', params: { login: 'mara' } })
    for (const pause of [10_000, 30_000, 120_000]) {
      clock.advance(pause)
      await runJobs(context)
    }
    expect(peer.mails).toEqual([])
    peer.refuseWith(undefined)
    clock.advance(600_000)
    await runJobs(context)

    expect(peer.mails).toHaveLength(1)
    expect(await links()).toHaveLength(1)
    const { rows } = await sql`select state, attempts from job`.execute(context.db)
    expect(rows).toEqual([{ state: 'done', attempts: 4 }])
  })

  test.each([
    { who: 'a suspended person', account: SAM },
    { who: 'a pending one', account: PIA },
  ])('is not sent to $who', async ({ account }) => {
    for (const { name: template } of ACCOUNT_MAILS)
      await order({
        template,
        account_id: account.id,
        params: template === 'access_key_created' ? { description: '', scopes: [] } : {},
      })

    expect(peer.mails).toEqual([])
    const { rows } = await sql`select from mailed_link`.execute(context.db)
    expect(rows).toEqual([])
  })

  test('is written in the language of its reader', async () => {
    const texts = { 'mail.password_changed.subject': '[{platform}: ñéw]' }
    onTestFinished(install({ tag: 'xx', reasons: {}, causes: {}, texts }))
    await sql`update account set language = 'xx' where id = ${RITA.id}`.execute(context.db)
    await order({ template: 'password_changed', account_id: RITA.id })
    await order({ template: 'password_changed', account_id: MARA.id })

    expect(peer.mails.map(({ subject }) => subject)).toEqual([
      '[Waypost: ñéw]',
      'Your password for Waypost was changed',
    ])
  })

  test('about a changed password lists the keys that stay', async () => {
    await sql`update access_key set description = 'nightly import' where id = ${MARA.key_id}`.execute(context.db)
    await order({ template: 'password_changed', account_id: MARA.id })
    await sql`delete from access_key where id = ${TOM.key_id}`.execute(context.db)
    await order({ template: 'password_changed', account_id: TOM.id })

    expect(peer.mails[0]?.text).toContain(`Yours are:\n- ${MARA.key_id} nightly import\n`)
    expect(peer.mails[1]?.text).toContain('Yours are:\n(none)\n')
  })

  test('goes to the new address with the link, and to the old one with a notice', async () => {
    await setPending(MARA, 'mara@new.example')
    await order({ template: 'email_verification', account_id: MARA.id })
    await order({ template: 'email_change_notice', account_id: MARA.id })

    expect(peer.mails.map(({ to }) => to)).toEqual([['mara@new.example'], [MARA.email]])
    expect(peer.mails[0]?.text).toMatch(/account\/email#[\w-]{43}\n/)
    expect(peer.mails[1]?.text).toContain('is to be changed to mara@new.example.')
    expect(await links()).toMatchObject([{ kind: 'email_verification', account_id: MARA.id }])
  })

  test('tells the owner of an address that somebody else entered it, and makes no link', async () => {
    await setPending(MARA, TOM.email.toUpperCase())
    await order({ template: 'email_verification', account_id: MARA.id })

    expect(peer.mails).toMatchObject([{ to: [TOM.email], subject: 'Your address on Waypost' }])
    expect(await links()).toEqual([])
  })
})

async function order(payload: object): Promise<void> {
  await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'mail', payload }, null))
  await runJobs(context)
}

async function setPending({ id }: Person, email: string): Promise<void> {
  await sql`update account set pending_email = ${email} where id = ${id}`.execute(context.db)
}

async function links() {
  return context.db
    .selectFrom('mailed_link')
    .select(['digest', 'kind', 'account_id', 'expires_on'])
    .orderBy('account_id')
    .execute()
}

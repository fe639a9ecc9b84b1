import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { MARA, type TestPerson, PIA, RITA, SAM, TOM } from '../../../test/fixtures/people.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'
import { installLanguage } from '../../platform/messages/catalogue.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { ACCOUNT_MAILS } from './mails.ts'

const peer = await startMailPeer()
const { context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

describe('a mail', () => {
  test('lists the scopes of a new access key to its owner', async () => {
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
  ])('of the kind $template carries a link whose secret is stored nowhere else', async ({ template, page, hours }) => {
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

  test('keeps only the newest link valid', async () => {
    await order({ template: 'password_reset', account_id: MARA.id })
    const [first] = await links()
    await order({ template: 'password_reset', account_id: MARA.id })
    await order({ template: 'password_reset', account_id: TOM.id })

    const left = await links()
    expect(left.map(({ account_id }) => account_id)).toEqual([MARA.id, TOM.id])
    expect(left).not.toContainEqual(first)
  })

  test('that the mail server refuses is retried under the same id, with a working link', async () => {
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

  test('is written in the language of its recipient', async () => {
    const texts = { 'mail.password_changed.subject': '[{platform}: ñéw]' }
    onTestFinished(installLanguage({ tag: 'xx', reasons: {}, causes: {}, texts }))
    await sql`update account set language = 'xx' where id = ${RITA.id}`.execute(context.db)
    await order({ template: 'password_changed', account_id: RITA.id })
    await order({ template: 'password_changed', account_id: MARA.id })

    expect(peer.mails.map(({ subject }) => subject)).toEqual([
      '[Waypost: ñéw]',
      'Your password for Waypost was changed',
    ])
  })

  test('is written in German', async () => {
    await sql`update account set language = 'de' where id = ${TOM.id}`.execute(context.db)
    await order({ template: 'password_changed', account_id: TOM.id })
    const [mail] = peer.mails
    expect(mail?.subject).toBe('Das Passwort für Waypost wurde geändert')
    expect(mail?.text).toContain('Andere Sitzungen und alle Tokens sind beendet.')
    expect(mail?.text).not.toMatch(/[{}]/)
  })

  test('about a changed password lists the keys that remain valid', async () => {
    await sql`update access_key set description = 'nightly import' where id = ${MARA.key_id}`.execute(context.db)
    await order({ template: 'password_changed', account_id: MARA.id })
    await sql`delete from access_key where id = ${TOM.key_id}`.execute(context.db)
    await order({ template: 'password_changed', account_id: TOM.id })

    expect(peer.mails[0]?.text).toContain(`Yours are:\n- ${MARA.key_id} nightly import\n`)
    expect(peer.mails[1]?.text).toContain('Yours are:\n(none)\n')
  })

  test('carries the link to the new address, and a notice to the old one', async () => {
    await setPending(MARA, 'mara@new.example')
    await order({ template: 'email_verification', account_id: MARA.id })
    await order({ template: 'email_change_notice', account_id: MARA.id })

    expect(peer.mails.map(({ to }) => to)).toEqual([['mara@new.example'], [MARA.email]])
    expect(peer.mails[0]?.text).toMatch(/account\/email#[\w-]{43}\n/)
    expect(peer.mails[1]?.text).toContain('is to be changed to mara@new.example.')
    expect(await links()).toMatchObject([{ kind: 'email_verification', account_id: MARA.id }])
  })

  test('notifies the owner of an address that another account entered it, without a link', async () => {
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

async function setPending({ id }: TestPerson, email: string): Promise<void> {
  await sql`update account set pending_email = ${email} where id = ${id}`.execute(context.db)
}

async function links() {
  return context.db
    .selectFrom('mailed_link')
    .select(['digest', 'kind', 'account_id', 'expires_on'])
    .orderBy('account_id')
    .execute()
}

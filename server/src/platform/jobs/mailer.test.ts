import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { ADA } from '../../../test/fixtures/people.ts'
import { createMailer, isMailAddress } from './mailer.ts'
import { readSettingsVersion } from '../operation/settings.ts'

const peer = await startMailPeer()
const { context } = await startWorld({
  environment: { WAYPOST_SMTP_URL: peer.url, WAYPOST_MAIL_FROM: 'post@waypost.example' },
})
const letter = { to: 'mara@waypost.example', subject: 'Grüße', text: 'Hello,\n\n.a line with a dot — and more.\n' }

beforeEach(async () => context.settings.reloadIfChanged(await readSettingsVersion(context.db)))

describe('the mailer', () => {
  test('sends plain text, marks it as automatic, and sets the message id', async () => {
    await context.mailer.send(letter, 'job-7.1')

    const [mail] = peer.mails
    expect(mail).toMatchObject({
      from: 'post@waypost.example',
      to: ['mara@waypost.example'],
      subject: 'Grüße',
      text: 'Hello,\n\n.a line with a dot — and more.\n',
    })
    expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
      from: ['Waypost <post@waypost.example>'],
      to: ['mara@waypost.example'],
      'auto-submitted': ['auto-generated'],
      'message-id': ['<job-7.1@waypost.example>'],
      'content-type': [expect.stringContaining('text/plain')],
    })
  })

  test('takes sender and footer from the settings', async () => {
    await choose({ mail_from: 'tracker@orchard.example', mail_footer: 'Orchard Ltd.', platform_name: 'Orchard' })

    await context.mailer.send(letter, '1')

    const [mail] = peer.mails
    expect(mail?.from).toBe('tracker@orchard.example')
    expect(mail?.headers.get('from')).toEqual(['Orchard <tracker@orchard.example>'])
    expect(mail?.text.endsWith('\n-- \nOrchard Ltd.\n')).toBe(true)
  })

  test.each([
    'Your key\r\nBcc: eve@evil.example',
    'Your key\nBcc: eve@evil.example',
    'Your key\r\n\r\nBody of Eve',
    'Your key\u0085\u2028Bcc: eve@evil.example',
  ])('I26 keeps a subject within its header: %j', async (subject) => {
    await context.mailer.send({ ...letter, subject }, '1')

    const [mail] = peer.mails
    expect(mail?.to).toEqual(['mara@waypost.example'])
    expect(mail?.headers.has('bcc')).toBe(false)
    expect(mail?.text).toBe(letter.text)
  })

  test.each([
    'mara@waypost.example, eve@evil.example',
    'mara@waypost.example\r\nBcc: eve@evil.example',
    'Mara <mara@waypost.example>',
    '"mara@waypost.example>\\" <eve"@evil.example',
    '',
  ])('I26 refuses anything but one address: %j', async (to) => {
    await expect(context.mailer.send({ ...letter, to }, '1')).rejects.toThrow('not one mail address')
    expect(isMailAddress(to)).toBe(false)
    expect(peer.mails).toEqual([])
  })

  test('fails when the server refuses, so that the job is retried', async () => {
    peer.refuseWith({ code: 451, message: 'greylisted' })

    await expect(context.mailer.send(letter, '1')).rejects.toThrow('greylisted')
  })
})

test('without a mail server, sending fails with the reason', async () => {
  const mailer = createMailer({ ...context.config, WAYPOST_SMTP_URL: '' }, context.settings)

  await expect(mailer.send({ ...letter, to: ADA.email }, '1')).rejects.toThrow('WAYPOST_SMTP_URL is empty')
})

async function choose(settings: object): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    update setting set version = version + 1, chosen = ${JSON.stringify(settings)}::jsonb returning version`.execute(
    context.db,
  )
  await context.settings.reloadIfChanged(rows[0]?.version ?? 0)
}

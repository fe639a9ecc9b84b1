import { ACCOUNT_MAILS } from './accounts/mails/mails.ts'
import { NOTICE_MAILS } from './feed/notifications/mailing/notice-mails.ts'
import type { MailTemplate } from './platform/jobs/mail.ts'

/** Every mail that the platform sends. */
export const MAILS: readonly MailTemplate[] = [...ACCOUNT_MAILS, ...NOTICE_MAILS]

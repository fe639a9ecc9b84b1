import { ACCOUNT_MAILS } from './accounts/mails/mails.ts'
import { NOTICE_MAILS } from './feed/notifications/mailing/notice-mails.ts'
import { WEBHOOK_MAILS } from './feed/webhooks/pause-mail.ts'
import type { MailTemplate } from './platform/jobs/mail-template.ts'
import { commitMail } from './repositories/revisions/commit-mails.ts'

export const MAILS: readonly MailTemplate[] = [...ACCOUNT_MAILS, ...NOTICE_MAILS, ...WEBHOOK_MAILS, commitMail]

import type { Context } from '../../../platform/operation/context.ts'
import { escapeHtml } from '../../../platform/wire/html.ts'
import { type Catalogue, getMessage } from '../../../platform/messages/catalogue.ts'
import type { NotificationReason } from '../notification-reasons.ts'
import { type DescribedNotice, toSingleLine } from './describe-notice.ts'

/** The same content as plain text and as HTML. */
export interface MailPart {
  readonly text: string
  readonly html: string
}

interface NoticeRendering {
  readonly context: Pick<Context, 'config'>
  readonly language: Catalogue
  readonly isShort: boolean
}

const MAX_VALUE_LENGTH = 300
const MAX_COMMENT_LENGTH = 10_000

/** The event with a link to it. Everything but the fixed sentences is user input and is escaped. */
export function renderNotice({ context, language, isShort }: NoticeRendering, notice: DescribedNotice): MailPart {
  const lines = isShort ? [] : notice.changes.map((change) => renderChange(language, change))
  const comment = isShort ? '' : truncate(notice.comment, MAX_COMMENT_LENGTH)
  const link = linkTo(context, notice)
  const quoted = comment.replaceAll(/^/gm, '  ')
  const parts = [notice.heading, ...(lines.length > 0 ? [lines.join('\n')] : []), ...(comment === '' ? [] : [quoted])]
  const list = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')
  const said = comment === '' ? '' : `<blockquote>${withLineBreaks(comment)}</blockquote>`
  return {
    text: `${[...parts, ...link.text].join('\n\n')}\n`,
    html: `<p>${escapeHtml(notice.heading)}</p>${list && `<ul>${list}</ul>`}${said}${link.html}`,
  }
}

/** The reason of the mail and its unsubscribe link. */
export function renderFooter(
  language: Catalogue,
  why: NotificationReason,
  notice: DescribedNotice,
  address: string,
): MailPart {
  const reason = getMessage(language, `notice.why.${why}`)
  return renderUnsubscribeLine(`${reason} ${getMessage(language, 'notice.end', { object: notice.xref })}`, address)
}

export function renderUnsubscribeLine(sentence: string, address: string): MailPart {
  const url = escapeHtml(address)
  return {
    text: `\n${sentence}\n${address}\n`,
    html: `<p><small>${escapeHtml(sentence)} <a href="${url}">${url}</a></small></p>`,
  }
}

function renderChange(language: Catalogue, { label, before, after }: DescribedNotice['changes'][number]): string {
  const shown = (value: string) =>
    value === '' ? getMessage(language, 'notice.nothing') : truncate(toSingleLine(value), MAX_VALUE_LENGTH)
  return before === ''
    ? `${toSingleLine(label)}: ${shown(after)}`
    : `${toSingleLine(label)}: ${shown(before)} → ${shown(after)}`
}

/** Deleted objects have no page. */
function linkTo({ config }: NoticeRendering['context'], { object, event }: DescribedNotice) {
  if (event.type.endsWith('.deleted')) return { text: [], html: '' }
  const { href } = new URL(`${object.kind}s/${object.id}`, config.WAYPOST_PUBLIC_URL)
  const url = escapeHtml(href)
  return { text: [href], html: `<p><a href="${url}">${url}</a></p>` }
}

function truncate(words: string, longest: number): string {
  return words.length > longest ? `${words.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…` : words
}

function withLineBreaks(words: string): string {
  return escapeHtml(words).replaceAll(/\r?\n/g, '<br>')
}

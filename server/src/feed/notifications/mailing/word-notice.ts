import type { Context } from '../../../platform/operation/context.ts'
import { escapeHtml } from '../../../platform/wire/html.ts'
import { type Catalogue, text } from '../../../platform/words/catalogue.ts'
import type { Why } from '../why.ts'
import { type DescribedNotice, oneLine } from './describe-notice.ts'

/** The same words for those who read HTML and those who do not. */
export interface Words {
  readonly text: string
  readonly html: string
}

interface Wording {
  readonly context: Pick<Context, 'config'>
  readonly language: Catalogue
  readonly isShort: boolean
}

const LONGEST_VALUE = 300
const LONGEST_COMMENT = 10_000

/** What happened, with a link to it. All of it but the sentences is somebody's text: it is never markup here. */
export function wordNotice({ context, language, isShort }: Wording, notice: DescribedNotice): Words {
  const lines = isShort ? [] : notice.changes.map((change) => lineOf(language, change))
  const comment = isShort ? '' : cut(notice.comment, LONGEST_COMMENT)
  const link = linkTo(context, notice)
  const quoted = comment.replaceAll(/^/gm, '  ')
  const parts = [notice.heading, ...(lines.length > 0 ? [lines.join('\n')] : []), ...(comment === '' ? [] : [quoted])]
  const list = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')
  const said = comment === '' ? '' : `<blockquote>${broken(comment)}</blockquote>`
  return {
    text: `${[...parts, ...link.text].join('\n\n')}\n`,
    html: `<p>${escapeHtml(notice.heading)}</p>${list && `<ul>${list}</ul>`}${said}${link.html}`,
  }
}

/** Why it came, and how to end it. */
export function wordFooter(language: Catalogue, why: Why, notice: DescribedNotice, address: string): Words {
  const reason = text(language, `notice.why.${why}`)
  return wordEnd(`${reason} ${text(language, 'notice.end', { object: notice.xref })}`, address)
}

export function wordEnd(sentence: string, address: string): Words {
  const url = escapeHtml(address)
  return {
    text: `\n${sentence}\n${address}\n`,
    html: `<p><small>${escapeHtml(sentence)} <a href="${url}">${url}</a></small></p>`,
  }
}

function lineOf(language: Catalogue, { label, before, after }: DescribedNotice['changes'][number]): string {
  const shown = (value: string) =>
    value === '' ? text(language, 'notice.nothing') : cut(oneLine(value), LONGEST_VALUE)
  return before === '' ? `${oneLine(label)}: ${shown(after)}` : `${oneLine(label)}: ${shown(before)} → ${shown(after)}`
}

/** What is deleted has no page. */
function linkTo({ config }: Wording['context'], { object, event }: DescribedNotice) {
  if (event.type.endsWith('.deleted')) return { text: [], html: '' }
  const { href } = new URL(`${object.kind}s/${object.id}`, config.WAYPOST_PUBLIC_URL)
  const url = escapeHtml(href)
  return { text: [href], html: `<p><a href="${url}">${url}</a></p>` }
}

function cut(words: string, longest: number): string {
  return words.length > longest ? `${words.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…` : words
}

function broken(words: string): string {
  return escapeHtml(words).replaceAll(/\r?\n/g, '<br>')
}

import type { WebPage } from '../../../platform/http/web-page.ts'
import { escapeHtml } from '../../../platform/wire/html.ts'
import { getMessage } from '../../../platform/messages/catalogue.ts'
import { watchedObjectAddress } from '../watching/watched-object.ts'
import { parseUnsubscribeToken } from './unsubscribe-token.ts'

/**
 * The target of the link in a mail. Link scanners open it too, so nothing changes until the button is pressed. It shows
 * no more than the link itself contains.
 */
export const unsubscribePage: WebPage = {
  path: '/unsubscribe/:token',
  staysOpen: true,
  async open({ context, language, params, query }) {
    const token = params['token'] ?? ''
    const { object } = parseUnsubscribeToken(context.secrets, token)
    const isDone = query.get('done') === '1'
    const what = object === 'mails' ? 'mails' : 'object'
    const placeholders = { object: object === 'mails' ? '' : watchedObjectAddress(object) }
    const render = (name: string) => escapeHtml(getMessage(language, name, placeholders))
    const title = render('unsubscribe.title')
    const button = `<form method="post" action="/api/unsubscribe/${escapeHtml(token)}"><button>${render('unsubscribe.button')}</button></form>`
    return {
      type: 'text/html; charset=utf-8',
      headers: {
        'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      },
      content: `<!doctype html><html lang="${escapeHtml(language.tag)}"><meta charset="utf-8"><meta name="robots" content="noindex"><title>${title}</title><h1>${title}</h1><p>${render(isDone ? `unsubscribe.${what}_done` : `unsubscribe.${what}`)}</p>${isDone ? '' : button}</html>\n`,
    }
  },
}

import type { WebPage } from '../../../platform/http/web-page.ts'
import { escapeHtml } from '../../../platform/wire/html.ts'
import { text } from '../../../platform/words/catalogue.ts'
import { addressOf } from '../watching/watched-object.ts'
import { readToken } from './unsubscribe-token.ts'

/**
 * For people who click the link in a mail. Programs that look at links before people do come here too, so that nothing
 * happens until the button is pressed. It says no more than the link does.
 */
export const unsubscribePage: WebPage = {
  path: '/unsubscribe/:token',
  staysOpen: true,
  async open({ context, language, params, query }) {
    const token = params['token'] ?? ''
    const { object } = readToken(context.secrets, token)
    const isDone = query.get('done') === '1'
    const what = object === 'mails' ? 'mails' : 'object'
    const places = { object: object === 'mails' ? '' : addressOf(object) }
    const say = (name: string) => escapeHtml(text(language, name, places))
    const title = say('unsubscribe.title')
    const button = `<form method="post" action="/api/unsubscribe/${escapeHtml(token)}"><button>${say('unsubscribe.button')}</button></form>`
    return {
      type: 'text/html; charset=utf-8',
      headers: {
        'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      },
      content: `<!doctype html><html lang="${escapeHtml(language.tag)}"><meta charset="utf-8"><meta name="robots" content="noindex"><title>${title}</title><h1>${title}</h1><p>${say(isDone ? `unsubscribe.${what}_done` : `unsubscribe.${what}`)}</p>${isDone ? '' : button}</html>\n`,
    }
  },
}

const SAFE = /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i
const CONTROL = /\p{Cc}/u

/**
 * The address if a text may lead there: to the web, to a mail box, or into this server; undefined: it may not. `//` and
 * `/\` begin the name of another host, and browsers leave out tabs and line breaks before they look.
 */
export function safeUrl(url: string): string | undefined {
  const trimmed = url.trim()
  return SAFE.test(trimmed) && !CONTROL.test(trimmed) ? trimmed : undefined
}

/** `rel` of a link: other sites get neither our weight with search engines nor a hold on our window; `''`: none is needed. */
export function relationTo(url: string): string {
  return /^https?:/i.test(url) ? 'nofollow noopener' : ''
}

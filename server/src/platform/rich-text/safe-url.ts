const SAFE = /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i
const CONTROL = /\p{Cc}/u

/**
 * The URL if a text may link to it: the web, a mail address, or this server; otherwise undefined. `//` and `/\` start
 * another host, and browsers ignore tabs and line breaks.
 */
export function safeUrl(url: string): string | undefined {
  const trimmed = url.trim()
  return SAFE.test(trimmed) && !CONTROL.test(trimmed) ? trimmed : undefined
}

/** The `rel` of a link: other sites get neither search ranking nor access to our window; `''`: not needed. */
export function linkRel(url: string): string {
  return /^https?:/i.test(url) ? 'nofollow noopener' : ''
}

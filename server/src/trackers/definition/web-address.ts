/** Whether this is an HTTP(S) URL. The SSRF guard checks the target when it is requested. */
export function isWebAddress(given: string): boolean {
  const url = URL.parse(given)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
}

/** Whether a server can be asked there. Which ones may be asked is decided when it is. */
export function isWebAddress(given: string): boolean {
  const url = URL.parse(given)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
}

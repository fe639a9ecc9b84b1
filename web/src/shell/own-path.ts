/** Only a path of our own: nobody is led elsewhere by a link that looks like ours. */
export function ownPath(next: unknown): string {
  const isOwn = typeof next === 'string' && /^\/(?![/\\])/.test(next) && URL.canParse(next, location.origin)
  return isOwn && new URL(next, location.origin).origin === location.origin ? next : '/'
}

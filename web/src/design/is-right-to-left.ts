/** The direction of the page, for what is placed by numbers instead of by style sheets. */
export function isRightToLeft(): boolean {
  return getComputedStyle(document.documentElement).direction === 'rtl'
}

const ORDER_KEY = 'waypost.timeline'

/** Stored per device, as other choices of appearance. */
export function isTimelineNewestFirst(): boolean {
  return localStorage.getItem(ORDER_KEY) === 'newest'
}

export function storeTimelineOrder(isNewestFirst: boolean): void {
  localStorage.setItem(ORDER_KEY, isNewestFirst ? 'newest' : 'oldest')
}

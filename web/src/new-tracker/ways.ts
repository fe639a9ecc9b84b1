/** The ways to create a tracker; the address names them. */
export const NEW_TRACKER_WAYS = ['templates', 'copy', 'file', 'csv', 'empty'] as const
export type NewTrackerWay = (typeof NEW_TRACKER_WAYS)[number]

export function readNewTrackerSearch({ from }: { from?: unknown }): { from?: NewTrackerWay } {
  const way = NEW_TRACKER_WAYS.find((each) => each === from)
  return way === undefined ? {} : { from: way }
}

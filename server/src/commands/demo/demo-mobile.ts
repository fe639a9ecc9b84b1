import type { DemoItem } from './demo-item.ts'

const bug = (severity: string, priority: string, found_in: string) => ({ severity, priority, found_in })

/** Bugs of the second project. */
export const DEMO_MOBILE_BUGS: readonly DemoItem[] = [
  {
    title: 'App closes when a payment is opened from a notification',
    day: 19,
    by: 'samuel',
    to: 'lena',
    tags: ['android'],
    values: bug('Critical', 'Urgent', '2.7.0'),
    moves: 'Confirmed@18 In progress@18 Fixed@17 Verified@16',
  },
  {
    title: 'Balance is not refreshed after a payout',
    day: 16,
    by: 'priya',
    to: 'lena',
    due: 2,
    values: bug('Major', 'High', '2.7.1'),
    moves: 'Confirmed@12 In progress@3',
  },
  {
    title: 'Face unlock is asked twice on iOS 26',
    day: 13,
    by: 'lena',
    to: 'tom',
    due: 1,
    tags: ['ios'],
    values: bug('Major', 'High', '2.7.1'),
    moves: 'Confirmed@9 In progress@1',
  },
  {
    title: 'Dark theme shows black text on the receipt',
    day: 11,
    by: 'samuel',
    to: 'samuel',
    due: 5,
    values: bug('Minor', 'Medium', '2.7.1'),
    moves: 'Confirmed@8',
  },
  {
    title: 'Amounts above 9,999 are cut off in the list',
    day: 8,
    by: 'mara',
    to: 'lena',
    values: bug('Minor', 'Medium', '2.7.2'),
    moves: 'Confirmed@7 In progress@6 Fixed@4',
  },
  {
    title: 'Scanner does not read codes on curved cups',
    day: 6,
    by: 'samuel',
    tags: ['android', 'ios'],
    values: bug('Minor', 'Low', '2.7.2'),
  },
  {
    title: 'First start takes six seconds on old phones',
    day: 3,
    by: 'tom',
    to: 'samuel',
    due: 7,
    tags: ['android', 'speed'],
    values: bug('Major', 'Medium', '2.8.0-beta'),
    moves: 'Confirmed@1',
  },
]

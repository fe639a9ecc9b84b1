import { describe, expect, test } from 'vitest'
import { nextHour, nextTimeOfDay } from './digest-times.ts'

describe('the times of digests', () => {
  test('are full hours', () => {
    expect(nextHour(new Date('2026-03-01T09:59:59.999Z'))).toEqual(new Date('2026-03-01T10:00:00Z'))
    expect(nextHour(new Date('2026-03-01T10:00:00Z'))).toEqual(new Date('2026-03-01T11:00:00Z'))
  })

  test.each([
    { now: '2026-03-01T07:00:00Z', zone: 'UTC', hour: 8, next: '2026-03-01T08:00:00Z' },
    { now: '2026-03-01T08:00:00Z', zone: 'UTC', hour: 8, next: '2026-03-02T08:00:00Z' },
    { now: '2026-03-01T23:30:00Z', zone: 'Pacific/Auckland', hour: 0, next: '2026-03-02T11:00:00Z' },
    { now: '2026-03-28T12:00:00Z', zone: 'Europe/Berlin', hour: 8, next: '2026-03-29T06:00:00Z' }, // Start of daylight saving time.
    { now: '2026-12-31T23:00:00Z', zone: 'UTC', hour: 0, next: '2027-01-01T00:00:00Z' },
  ])('are $hour o’clock in $zone', ({ now, zone, hour, next }) => {
    expect(nextTimeOfDay(new Date(now), zone, hour)).toEqual(new Date(next))
  })
})

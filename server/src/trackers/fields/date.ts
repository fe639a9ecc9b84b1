import { Type } from 'typebox'
import { platformZone } from '../../platform/operation/context.ts'
import { apiDate, apiDay, dayIn, parseDay, parseWritten, wallClock } from '../../platform/wire/dates.ts'
import { dateSearch } from '../search/date-search.ts'
import type { Element } from '../tracker.ts'
import { type FieldType, ValueFault, type Writing } from './field-type.ts'
import { flag, flagOf, isOn } from './properties.ts'
import { migrateToSameType } from './same-type.ts'

const DAY = 86_400_000
const WITHOUT_ZONE = /^.{10}(?:.\d\d:\d\d(?::\d\d)?)?$/
const CLEARING: readonly unknown[] = [null, '', false]

/** A day, which is the same everywhere, or with its time an instant. */
export const dateField: FieldType = {
  type: 'date',
  kind: 'field',
  properties: Type.Object(
    {
      display_time: flag(0),
      default_value_type: Type.Optional(Type.Enum([0, 1], { description: '0: today.' })),
      default_value_today: Type.Optional(Type.Unknown()),
      default_value: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  isWritable: true,
  canBeRequired: true,

  /** `today`, or a date without zone: it is meant for everybody, in the zone of the platform. */
  readDefault: (given, element) => {
    if (given === undefined || CLEARING.includes(given)) return null
    if (given === 'today') return given
    const day = typeof given === 'string' ? parseDay(given) : undefined
    if (day === undefined || typeof given !== 'string') throw notADate('default')
    if (isTimed(element) && !WITHOUT_ZONE.test(given)) throw notADate('default')
    return isTimed(element) ? `${day} ${given.slice(11, 16) || '00:00'}` : day
  },
  writeDefault: (element) => element.default,
  describe(element, { context, viewer }) {
    const { default: initial, properties } = element
    const zone = viewer.time_zone ?? platformZone(context)
    const now = wallClock(zone, context.clock.now())
    return {
      default_value: initial === 'today' ? (isTimed(element) ? now : now.slice(0, 10)) : (initial ?? ''),
      specific_properties: {
        default_value_type: initial === 'today' ? 0 : 1,
        default_value_today: null,
        default_value: initial === 'today' ? '' : (initial ?? ''),
        display_time: flagOf(properties['display_time']),
      },
      extra: { is_time_displayed: isTimed(element) },
    }
  },

  read(stored, element, { context }) {
    if (stored === undefined) return undefined
    return { value: shown(stored, element, platformZone(context)), is_time_displayed: isTimed(element) }
  },
  readSchema: { value: Type.Union([Type.String(), Type.Null()]), is_time_displayed: Type.Boolean() },
  async write({ value }, element, { zone }) {
    if (value === undefined)
      throw new ValueFault('value_invalid', { path: 'value', rule: 'required', cause: 'value_missing' })
    if (CLEARING.includes(value)) return null
    const stored = typeof value === 'string' ? storedForm(value, element, zone) : undefined
    if (stored === undefined) throw notADate('value')
    return stored
  },
  async defaultFor(element, { now, zone, dayZone }: Writing) {
    const { default: initial } = element
    if (initial === 'today') return isTimed(element) ? toTheSecond(now) : dayIn(zone, now)
    return typeof initial === 'string' ? storedForm(initial, element, dayZone) : undefined
  },
  isEmpty: (stored) => dateIn(stored) === null,
  isSame: (stored, given) => dateIn(stored) === dateIn(given),
  search: dateSearch(isTimed),
  index(stored, element) {
    const date = dateIn(stored)
    if (date === null) return {}
    const time = Date.parse(date)
    return { numbers: [isTimed(element) ? time / 1000 : Math.floor(time / DAY)] }
  },
  flat(stored, element, { context }) {
    const value = shown(stored, element, platformZone(context))
    return isTimed(element) || value === null ? value : value.slice(0, 10)
  },
  migrate: migrateToSameType,
}

export function isTimed({ properties }: Pick<Element, 'properties'>): boolean {
  return isOn(properties['display_time'])
}

/** What a field stores for a date that is written somewhere; undefined: it is none. */
function storedForm(text: string, element: Element, zone: string): string | undefined {
  if (!isTimed(element)) return parseDay(text)
  const instant = parseWritten(text, zone)
  return instant && toTheSecond(instant)
}

/** Answers have no fractions, and what was answered can be sent back. */
export function toTheSecond(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}.000Z`
}

/** The day or the instant, to the second. */
function dateIn(stored: unknown): string | null {
  if (typeof stored !== 'string') return null
  return stored.length > 10 ? toTheSecond(new Date(stored)) : stored
}

/** A field may have got its time, or lost it, after this was stored. */
function shown(stored: unknown, element: Element, zone: string): string | null {
  const date = dateIn(stored)
  if (date === null) return null
  const isInstant = date.length > 10
  if (isTimed(element)) return apiDate((isInstant ? new Date(date) : parseWritten(date, zone)) ?? new Date(date))
  return apiDay(isInstant ? dayIn(zone, new Date(date)) : date, zone)
}

function notADate(path: string): ValueFault {
  return new ValueFault('value_invalid', { path, rule: 'format', cause: 'not_a_date' })
}

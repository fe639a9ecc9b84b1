import { Type } from 'typebox'
import { platformZone } from '../../../platform/operation/context.ts'
import {
  DAY_FORM,
  INSTANT_FORM,
  apiDate,
  apiDay,
  toLocalDay,
  parseDay,
  parseLooseDate,
  wallClock,
} from '../../../platform/wire/dates.ts'
import { dateSearch } from '../../search/date-search.ts'
import type { Element } from '../../tracker.ts'
import { type FieldType, ValueFault, type FieldWriteContext } from '../field-type.ts'
import { flag, flagOf, isOn } from '../properties.ts'
import { migrateToSameType } from '../same-type.ts'

const DAY = 86_400_000
const WITHOUT_ZONE = /^.{10}(?:.\d\d:\d\d(?::\d\d)?)?$/
const CLEARING: readonly unknown[] = [null, '', false]

/** A day without time zone or, with time, an instant. */
export const dateField: FieldType = {
  type: 'date',
  kind: 'field',
  schemaName: 'Date',
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
  action: { kind: 'moment', stored: dateAt },

  /** `today`, or a date without zone, which is interpreted in the time zone of the platform. */
  readDefault: (given, element) => {
    if (given === undefined || CLEARING.includes(given)) return null
    if (given === 'today') return given
    const day = typeof given === 'string' ? parseDay(given) : undefined
    if (day === undefined || typeof given !== 'string') throw notADate('default', element)
    if (isTimed(element) && !WITHOUT_ZONE.test(given)) throw notADate('default', element)
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
  blank: { stored: null },
  readSchema: { value: Type.Union([Type.String(), Type.Null()]), is_time_displayed: Type.Boolean() },
  writeSchema: {
    value: Type.Union([Type.String({ description: 'A day or, for fields with a time, an instant.' }), Type.Null()]),
  },
  async write({ value }, element, { zone }) {
    if (value === undefined)
      throw new ValueFault('value_invalid', { path: 'value', rule: 'required', cause: 'value_missing' })
    if (CLEARING.includes(value)) return null
    const stored = typeof value === 'string' ? storedForm(value, element, zone) : undefined
    if (stored === undefined) throw notADate('value', element)
    return stored
  },
  async defaultFor(element, { now, zone, dayZone }: FieldWriteContext) {
    const { default: initial } = element
    if (initial === 'today') return dateAt(element, { now, zone })
    return typeof initial === 'string' ? storedForm(initial, element, dayZone) : undefined
  },
  isEmpty: (stored) => dateIn(stored) === null,
  isSame: (stored, given) => dateIn(stored) === dateIn(given),
  dateOf(stored) {
    if (typeof stored !== 'string') return undefined
    return stored.length === 'YYYY-MM-DD'.length ? stored : new Date(stored)
  },
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
  fromCell: (text) => ({ value: text.trim() }),
  migrate: migrateToSameType,
}

export function isTimed({ properties }: Pick<Element, 'properties'>): boolean {
  return isOn(properties['display_time'])
}

function dateAt(element: Element, { now, zone }: { readonly now: Date; readonly zone: string }): string {
  return isTimed(element) ? toTheSecond(now) : toLocalDay(zone, now)
}

/** The stored form of a written date; undefined if the text is not a date. */
function storedForm(text: string, element: Element, zone: string): string | undefined {
  if (!isTimed(element)) return parseDay(text)
  const instant = parseLooseDate(text, zone)
  return instant && toTheSecond(instant)
}

/** Responses have no fractions of a second, so truncate; a value that is sent back then compares equal. */
function toTheSecond(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}.000Z`
}

/** The stored day or instant, to the second. */
function dateIn(stored: unknown): string | null {
  if (typeof stored !== 'string') return null
  return stored.length > 10 ? toTheSecond(new Date(stored)) : stored
}

/** The time setting of the field may have changed since the value was stored. */
function shown(stored: unknown, element: Element, zone: string): string | null {
  const date = dateIn(stored)
  if (date === null) return null
  const isInstant = date.length > 10
  if (isTimed(element)) return apiDate((isInstant ? new Date(date) : parseLooseDate(date, zone)) ?? new Date(date))
  return apiDay(isInstant ? toLocalDay(zone, new Date(date)) : date, zone)
}

function notADate(path: string, element: Element): ValueFault {
  const params = isTimed(element) ? INSTANT_FORM : DAY_FORM
  return new ValueFault('value_invalid', { path, rule: 'format', cause: 'not_a_date', params })
}

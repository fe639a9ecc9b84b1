import { AndFilter, type Entry, EqualityFilter, type Filter, FilterParser, NotFilter } from 'ldapts'
import { fold } from '../login.ts'
import { formatGuid, parseGuid } from './object-guid.ts'
import type { DirectorySettings } from './directory-settings.ts'

/** A person as the directory describes them. */
export interface DirectoryPerson {
  readonly entryId: string
  readonly dn: string
  /** As it is compared: folded. */
  readonly login: string
  readonly name: string | undefined
  /** Undefined: none, or none that can be an address here. */
  readonly email: string | undefined
}

const MAX_ID_LENGTH = 255
const ADDRESS = /^[^\s\p{Cc}@<>()[\]",:;\\]{1,64}@[^\s\p{Cc}@<>()[\]",:;\\]+$/u
const MAX_ADDRESS_LENGTH = 254
const GUID_ATTRIBUTE = 'objectguid'

export function personAttributes(settings: DirectorySettings): string[] {
  const { id_attribute, login_attribute, name_attribute, email_attribute } = settings
  return [...new Set([id_attribute, login_attribute, name_attribute, email_attribute])]
}

/** People who may sign in. Values are sent beside the filter, never as a part of its text. */
export function personFilter({ people_filter, disabled_filter }: DirectorySettings, ...more: Filter[]): Filter {
  const enabled = disabled_filter === null ? [] : [new NotFilter({ filter: FilterParser.parseString(disabled_filter) })]
  return new AndFilter({ filters: [FilterParser.parseString(people_filter), ...enabled, ...more] })
}

export function loginFilter({ login_attribute }: DirectorySettings, login: string): Filter {
  return new EqualityFilter({ attribute: login_attribute, value: login })
}

export function idFilter({ id_attribute }: DirectorySettings, entryId: string): Filter {
  const value = isGuid(id_attribute) ? parseGuid(entryId) : entryId
  return new EqualityFilter({ attribute: id_attribute, value: value ?? '' })
}

/** Undefined: it has no usable id or login. */
export function readPerson(entry: Entry, settings: DirectorySettings): DirectoryPerson | undefined {
  const { id_attribute, login_attribute, name_attribute, email_attribute } = settings
  const entryId = readId(entry, id_attribute)
  const login = readTexts(entry, login_attribute)[0]
  if (entryId === undefined || login === undefined || entry.dn === '') return undefined
  const address = readTexts(entry, email_attribute)[0]
  const isAddress = address !== undefined && address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address)
  return {
    entryId,
    dn: entry.dn,
    login: fold(login),
    name: readTexts(entry, name_attribute)[0],
    email: isAddress ? address : undefined,
  }
}

function readId(entry: Entry, attribute: string): string | undefined {
  const [value] = readValues(entry, attribute)
  if (value === undefined) return undefined
  if (isGuid(attribute)) return formatGuid(Buffer.from(value))
  return typeof value === 'string' && isStorable(value) && value.length <= MAX_ID_LENGTH ? value : undefined
}

/** The values that are texts which PostgreSQL can store. */
export function readTexts(entry: Entry, attribute: string): string[] {
  return readValues(entry, attribute).flatMap((value) => (typeof value === 'string' && isStorable(value) ? value : []))
}

/** Directories spell names of attributes in their own way. */
function readValues(entry: Entry, attribute: string): (string | Buffer)[] {
  const found = Object.entries(entry).find(([name]) => name.toLowerCase() === attribute.toLowerCase())
  const value = found?.[1] ?? []
  return Array.isArray(value) ? [...value] : [value]
}

function isStorable(text: string): boolean {
  return text !== '' && !text.includes('\0') && text.isWellFormed()
}

function isGuid(attribute: string): boolean {
  return attribute.toLowerCase() === GUID_ATTRIBUTE
}

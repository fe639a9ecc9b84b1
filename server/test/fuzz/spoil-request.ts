import { isRecord } from '../../src/platform/wire/schema-shape.ts'
import { PEOPLE } from '../people.ts'
import { list, record, type Schema } from './api-description.ts'
import { CREDENTIAL_HEADERS, credentialsOf, wrongCredentials } from './credentials.ts'
import { asText, type Draft, escape } from './draft.ts'
import { spoilBody } from './hostile-bodies.ts'
import { spoilHeaders } from './hostile-headers.ts'
import { anyText, anyValue, IDS, NUMBERS } from './hostile-values.ts'
import type { Knowledge } from './knowledge.ts'
import type { Random } from './random.ts'
import { nearMissOf } from './values-of-schema.ts'

type Spoil = (draft: Draft, known: Knowledge, random: Random) => void

/** Does one thing to a request that may make it wrong. */
export function spoilRequest(draft: Draft, known: Knowledge, random: Random): void {
  draft.expected = undefined
  random.pick(SPOILS)(draft, known, random)
}

const SPOILS: readonly [Spoil, ...Spoil[]] = [
  spoilWho,
  spoilWho,
  spoilId,
  spoilId,
  spoilMember,
  spoilMember,
  spoilMember,
  spoilBody,
  spoilQuery,
  spoilQuery,
  spoilQueryString,
  spoilHeaders,
  spoilHeaders,
  spoilPath,
  spoilMethod,
]

/** Somebody else, nobody, or somebody who does not exist. */
function spoilWho(draft: Draft, known: Knowledge, random: Random): void {
  for (const name of CREDENTIAL_HEADERS) delete draft.headers[name]
  const person = random.pickAny([...PEOPLE, undefined, undefined])
  const isWrong = random.chance(0.4)
  if (!draft.readerIsFixed) draft.reader = isWrong ? undefined : person
  if (isWrong) Object.assign(draft.headers, wrongCredentials(known, random))
  else if (person) Object.assign(draft.headers, credentialsOf(person, known, random))
}

/** An id of something else, or of nothing. */
function spoilId(draft: Draft, known: Knowledge, random: Random): void {
  const name = random.pickAny(Object.keys(draft.params))
  if (name === undefined) return spoilQuery(draft, known, random)
  const secrets = [...Object.values(known.links).flat(), ...known.tokens.map(({ token }) => token)]
  const [, kind = ''] = draft.operation.path.split('/')
  const same = known.ids.get(kind) ?? secrets
  const others = random.pickAny([...known.ids.values()]) ?? []
  const id = random.pick([
    random.pickAny(same),
    random.pickAny(same),
    random.pickAny(others),
    random.pickAny([...IDS, ...secrets, anyText(random)]),
  ])
  draft.params[name] = id ?? '1'
}

/** One member of the body: gone, of another type, out of bounds, hostile; or one more than there should be. */
function spoilMember(draft: Draft, known: Knowledge, random: Random): void {
  const { body, operation } = draft
  if (body !== undefined && random.chance(0.35)) {
    draft.body = withSpoiltLeaf(body, random)
    return
  }
  if (!isRecord(body) || !operation.body) return spoilId(draft, known, random)
  const schemas = record(schemaOf(operation.body)['properties'])
  const names = Object.keys({ ...schemas, ...body })
  const name = random.pickAny(names) ?? 'x'
  const copy: Record<string, unknown> = { ...body }
  const inner = copy[name]
  const way = random.number()
  if (way < 0.2) delete copy[name]
  else if (way < 0.3) copy[anyText(random)] = anyValue(random)
  else if (way < 0.4)
    copy[name] = isRecord(inner) ? { ...inner, [anyText(random)]: anyValue(random) } : anyValue(random)
  else if (way < 0.5 && isRecord(inner))
    copy[name] = Object.fromEntries(Object.entries(inner).map(([key]) => [key, anyText(random)]))
  else if (way < 0.6) copy[name] = list(inner).length > 0 ? [...list(inner), ...list(inner), anyValue(random)] : [inner]
  else copy[name] = nearMissOf(record(schemas[name]), random)
  draft.body = copy
}

/** The same, but for one value somewhere inside. */
function withSpoiltLeaf(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0) {
    const place = random.integer(0, value.length - 1)
    return value.map((each, at) => (at === place ? withSpoiltLeaf(each, random) : each))
  }
  const name = isRecord(value) ? random.pickAny(Object.keys(value)) : undefined
  if (isRecord(value) && name !== undefined) return { ...value, [name]: withSpoiltLeaf(value[name], random) }
  return random.pick([random.pick(NUMBERS), random.pick(NUMBERS), anyText(random), anyValue(random)])
}

/** Of a body that may come bare, the full form. */
function schemaOf(body: Schema): Schema {
  return Array.isArray(body['anyOf']) ? record(body['anyOf'][0]) : body
}

/** Values of parameters: those of the operation, those of pages, and unknown ones. */
function spoilQuery(draft: Draft, known: Knowledge, random: Random): void {
  const parameters = draft.operation.parameters.filter(({ place }) => place === 'query')
  const parameter = random.pickAny(parameters)
  const name = parameter?.name ?? random.pick(['limit', 'offset', 'query', '__proto__', anyText(random)])
  if (random.chance(0.2)) draft.query = draft.query.filter(([each]) => each !== name)
  const cursor = random.pickAny([...known.cursors, 'x.y', `${'A'.repeat(40)}.${'B'.repeat(22)}`]) ?? ''
  const value = random.pick([
    name === 'cursor' ? cursor : asText(nearMissOf(parameter?.schema ?? {}, random)),
    String(random.pick(NUMBERS)),
    anyText(random),
    random.pick(['true', 'TRUE', '1', 'yes', '0', 'no', '[]', '{}', 'null']),
    asText([anyValue(random)]),
    asText({ [random.pick(['username', 'shortname', 'identifier', 'with_status', '__proto__'])]: anyValue(random) }),
  ])
  draft.query.push([name, value])
  if (random.chance(0.15)) draft.query.push([name, value]) // Twice.
}

/** What no library would write. */
function spoilQueryString(draft: Draft, _known: Knowledge, random: Random): void {
  const name = random.pickAny(draft.operation.parameters.filter(({ place }) => place === 'query'))?.name ?? 'limit'
  const kept = draft.query.map(([each, value]) => `${escape(each)}=${escape(value)}`).join('&')
  const odd = random.pick([
    '%',
    '%zz=1',
    `${name}=%ff%fe`,
    `${name}=%00`,
    `${name}[]=1&${name}[]=2`,
    `${name}[$gt]=`,
    `${name}=1&${name}=2`,
    `${name}=%ED%A0%80`,
    '&&&===',
    '?=',
    `${name}=\xe4\xff`,
    `__proto__[x]=1&constructor.prototype=1`,
    Array.from({ length: 300 }, (_, at) => `p${at}=1`).join('&'),
    `${name}=${'9'.repeat(400)}`,
  ])
  draft.raw.query = kept === '' ? odd : `${kept}&${odd}`
}

function spoilPath(draft: Draft, _known: Knowledge, random: Random): void {
  const { operation, params, prefix } = draft
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escape(params[name] ?? ''))
  draft.raw.path = random.pick([
    `${prefix}${path.toUpperCase()}`,
    `${prefix}/${path}`,
    `${prefix}${path}//`,
    `${prefix}/.${path}`,
    `${prefix}/x/..${path}`,
    `${prefix}/%2e%2e/%2e%2e/etc/passwd`,
    `${prefix}${path}.json.xml`,
    `${prefix}${path}.XML`,
    `${prefix}${path}.csv`,
    `${prefix}${path}.ndjson`,
    `${prefix}${path}%00`,
    `${prefix}${path}%2f`,
    `${prefix}${path}%`,
    `${prefix}${path}/%ff`,
    `${prefix}${path};a=b`,
    `${prefix}${path}/${'a'.repeat(600)}`,
    `${prefix}/${'a/'.repeat(300)}`,
    `/api/v2${path}`,
    `/API${path}`,
    `${prefix}${path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}`,
    prefix,
    `${prefix}/`,
    `${prefix}/__proto__`,
  ])
}

function spoilMethod(draft: Draft, _known: Knowledge, random: Random): void {
  if (random.chance(0.2)) draft.headers['x-http-method-override'] = random.pick(['DELETE', 'PATCH', 'x'])
  else draft.method = random.pick(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'])
}

import { isRecord } from '../../../src/platform/wire/schema-shape.ts'
import { ALL_PEOPLE } from '../../fixtures/people.ts'
import { asList, asRecord, type Schema } from './api-description.ts'
import { CREDENTIAL_HEADERS, credentialsOf, wrongCredentials } from './credentials.ts'
import { asText, type RequestDraft, percentEncode } from './draft.ts'
import { spoilBody } from './hostile-bodies.ts'
import { spoilHeaders } from './hostile-headers.ts'
import { anyText, anyValue, IDS, NUMBERS } from './hostile-values.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'
import { nearMissOf } from './values-of-schema.ts'

type Spoil = (draft: RequestDraft, known: Knowledge, random: RepeatableRandom) => void

/** Applies one random mutation that may make the request invalid. */
export function spoilRequest(draft: RequestDraft, known: Knowledge, random: RepeatableRandom): void {
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

/** Another caller, an anonymous one, or invalid credentials. */
function spoilWho(draft: RequestDraft, known: Knowledge, random: RepeatableRandom): void {
  for (const name of CREDENTIAL_HEADERS) delete draft.headers[name]
  const person = random.pickAny([...ALL_PEOPLE, undefined, undefined])
  const isWrong = random.chance(0.4)
  if (!draft.readerIsFixed) draft.reader = isWrong ? undefined : person
  if (isWrong) Object.assign(draft.headers, wrongCredentials(known, random))
  else if (person) Object.assign(draft.headers, credentialsOf(person, known, random))
}

/** The id of another object, or of none. */
function spoilId(draft: RequestDraft, known: Knowledge, random: RepeatableRandom): void {
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

/** Mutates one member of the body: removed, of another type, out of bounds, hostile; or adds one. */
function spoilMember(draft: RequestDraft, known: Knowledge, random: RepeatableRandom): void {
  const { body, operation } = draft
  if (body !== undefined && random.chance(0.35)) {
    draft.body = withSpoiltLeaf(body, random)
    return
  }
  if (!isRecord(body) || !operation.body) return spoilId(draft, known, random)
  const schemas = asRecord(schemaOf(operation.body)['properties'])
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
  else if (way < 0.6)
    copy[name] = asList(inner).length > 0 ? [...asList(inner), ...asList(inner), anyValue(random)] : [inner]
  else copy[name] = nearMissOf(asRecord(schemas[name]), random)
  draft.body = copy
}

/** The same with one mutated value somewhere inside. */
function withSpoiltLeaf(value: unknown, random: RepeatableRandom): unknown {
  if (Array.isArray(value) && value.length > 0) {
    const place = random.integer(0, value.length - 1)
    return value.map((each, at) => (at === place ? withSpoiltLeaf(each, random) : each))
  }
  const name = isRecord(value) ? random.pickAny(Object.keys(value)) : undefined
  if (isRecord(value) && name !== undefined) return { ...value, [name]: withSpoiltLeaf(value[name], random) }
  return random.pick([random.pick(NUMBERS), random.pick(NUMBERS), anyText(random), anyValue(random)])
}

/** The full form of a body that may also be sent bare. */
function schemaOf(body: Schema): Schema {
  return Array.isArray(body['anyOf']) ? asRecord(body['anyOf'][0]) : body
}

/** Mutates query parameters: those of the operation, of pagination, and unknown ones. */
function spoilQuery(draft: RequestDraft, known: Knowledge, random: RepeatableRandom): void {
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
  if (random.chance(0.15)) draft.query.push([name, value]) // Duplicated.
}

/** Query strings that no library would write. */
function spoilQueryString(draft: RequestDraft, _known: Knowledge, random: RepeatableRandom): void {
  const name = random.pickAny(draft.operation.parameters.filter(({ place }) => place === 'query'))?.name ?? 'limit'
  const kept = draft.query.map(([each, value]) => `${percentEncode(each)}=${percentEncode(value)}`).join('&')
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

function spoilPath(draft: RequestDraft, _known: Knowledge, random: RepeatableRandom): void {
  const { operation, params, prefix } = draft
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => percentEncode(params[name] ?? ''))
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

function spoilMethod(draft: RequestDraft, _known: Knowledge, random: RepeatableRandom): void {
  if (random.chance(0.2)) draft.headers['x-http-method-override'] = random.pick(['DELETE', 'PATCH', 'x'])
  else draft.method = random.pick(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'])
}

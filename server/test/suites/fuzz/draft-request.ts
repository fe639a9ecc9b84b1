import type { OutgoingHttpHeaders } from 'node:http'
import { isRecord } from '../../../src/platform/wire/schema-shape.ts'
import type { DescribedOperation } from './api-description.ts'
import { cookieHeader, credentialsOf } from './credentials.ts'
import type { DraftBodyFormat, RequestDraft } from './draft.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'
import type { Recipe, Wish } from './recipe.ts'
import { RECIPES_OF_ACCOUNTS } from './recipes-of-accounts.ts'
import { RECIPES_OF_ADMINISTRATION } from './recipes-of-administration.ts'
import { RECIPES_OF_ARTIFACT_HISTORY } from './recipes-of-artifact-history.ts'
import { RECIPES_OF_ARTIFACTS } from './recipes-of-artifacts.ts'
import { RECIPES_OF_FILES } from './recipes-of-files.ts'
import { RECIPES_OF_LINKS } from './recipes-of-links.ts'
import { RECIPES_OF_NOTIFICATIONS } from './recipes-of-notifications.ts'
import { RECIPES_OF_PROJECTS } from './recipes-of-projects.ts'
import { RECIPES_OF_REPOSITORIES } from './recipes-of-repositories.ts'
import { RECIPES_OF_REPORTS } from './recipes-of-reports.ts'
import { RECIPES_OF_WEBHOOKS } from './recipes-of-webhooks.ts'
import { RECIPES_OF_TRACKER_DEFINITIONS } from './recipes-of-tracker-definitions.ts'
import { RECIPES_OF_TRACKER_FORMS } from './recipes-of-tracker-forms.ts'
import { RECIPES_OF_IMPORTS } from './recipes-of-imports.ts'
import { RECIPES_OF_TRASH } from './recipes-of-trash.ts'
import { ACTIVE } from './recipe.ts'
import { valueForSchema } from './values-of-schema.ts'

/**
 * How every operation succeeds. An operation without a recipe is built from its description; if that is not enough, the
 * run fails at its success rate, and it needs a recipe.
 */
const RECIPES: Readonly<Record<string, Recipe>> = {
  ...RECIPES_OF_ACCOUNTS,
  ...RECIPES_OF_PROJECTS,
  ...RECIPES_OF_TRACKER_FORMS,
  ...RECIPES_OF_LINKS,
  ...RECIPES_OF_TRACKER_DEFINITIONS,
  ...RECIPES_OF_ARTIFACTS,
  ...RECIPES_OF_REPORTS,
  ...RECIPES_OF_ARTIFACT_HISTORY,
  ...RECIPES_OF_IMPORTS,
  ...RECIPES_OF_TRASH,
  ...RECIPES_OF_FILES,
  ...RECIPES_OF_REPOSITORIES,
  ...RECIPES_OF_NOTIFICATIONS,
  ...RECIPES_OF_ADMINISTRATION,
  ...RECIPES_OF_WEBHOOKS,
}

/** A request that should succeed, in one of its many forms. */
export function draftRequest(operation: DescribedOperation, known: Knowledge, random: RepeatableRandom): RequestDraft {
  const recipe = RECIPES[operation.id]
  const wish = recipe ? recipe(known, random) : guess(operation, known, random)
  const format = random.chance(0.8) ? 'json' : 'xml'
  const draft: RequestDraft = {
    operation,
    method: operation.method,
    prefix: random.chance(0.8) ? '/api' : '/api/v1',
    params: Object.fromEntries(Object.entries(wish.params ?? {}).map(([name, value]) => [name, String(value)])),
    suffix: '',
    query: Object.entries(wish.query ?? {}),
    body: wish.body,
    bodyFormat: bodyFormatOf(operation, wish.body, random),
    headers: { ...identify(wish, known, random), ...wish.headers },
    reader: wish.reader ?? wish.session?.person ?? wish.as,
    readerIsFixed: wish.reader !== undefined,
    expected: undefined,
    raw: {},
  }
  askFor(draft, format, wish, random)
  addChoices(draft, wish, known, random)
  return draft
}

function identify({ as, session, byKey }: Wish, known: Knowledge, random: RepeatableRandom): OutgoingHttpHeaders {
  if (session) return cookieHeader(session)
  if (!as) return {}
  return byKey ? { 'x-auth-accesskey': as.key } : credentialsOf(as, known, random)
}

/** By URL suffix, by header, or not at all. */
function askFor(draft: RequestDraft, format: 'json' | 'xml', wish: Wish, random: RepeatableRandom): void {
  const accept = wish.headers?.['accept']
  draft.expected = typeof accept === 'string' ? accept : `application/${format}`
  if (typeof accept === 'string') return
  const isIndex = draft.operation.path === '/'
  if (!isIndex && random.chance(0.3)) draft.suffix = `.${format}`
  else if (format === 'xml' || random.chance(0.5)) draft.headers['accept'] = `application/${format}`
  if (!isIndex && random.chance(0.1)) draft.suffix += '/'
}

/** Optional parts that every request may have. */
function addChoices(draft: RequestDraft, wish: Wish, known: Knowledge, random: RepeatableRandom): void {
  const names = new Set(draft.operation.parameters.map(({ name }) => name))
  if (names.has('dry_run') && (wish.dryRun || random.chance(0.15))) draft.query.push(['dry_run', 'true'])
  if (names.has('Idempotency-Key') && random.chance(0.15)) {
    const key = known.fresh('key-')
    draft.headers['idempotency-key'] = key
    known.idempotencyKeys.push(key)
  }
  const isPaged = wish.query?.['limit'] !== undefined || wish.query?.['offset'] !== undefined
  if (names.has('limit') && !isPaged && wish.headers?.['accept'] === undefined && random.chance(0.4)) {
    draft.query.push(['limit', String(random.pick([1, 2, 5, 10]))])
    if (random.chance(0.4)) draft.query.push(['offset', String(random.pick([0, 1, 3, 1000]))])
  }
  if (names.has('If-None-Match') && random.chance(0.1))
    draft.headers['if-none-match'] = random.pickAny(known.etags) ?? '*'
  if (names.has('If-Match') && random.chance(0.1)) draft.headers['if-match'] = '*'
  if (random.chance(0.05)) draft.headers['accept-language'] = random.pick(['de', 'en-GB;q=0.5', 'x', '*', ',,;q='])
  if (random.chance(0.05)) draft.headers['x-forwarded-for'] = random.pick(['203.0.113.9', 'not an address'])
  if (random.chance(0.05)) draft.query.push(['not_known_here', 'x'])
}

function bodyFormatOf({ bodyTypes }: DescribedOperation, body: unknown, random: RepeatableRandom): DraftBodyFormat {
  if (bodyTypes.includes('text/csv') && typeof body === 'string') return 'csv'
  if (bodyTypes.includes('application/x-ndjson')) return 'ndjson'
  const chosen = random.number()
  const isFlat = isRecord(body) && Object.values(body).every((each) => typeof each !== 'object')
  if (chosen < 0.1 && isFlat && bodyTypes.includes('application/x-www-form-urlencoded')) return 'form'
  return chosen > 0.8 ? 'xml' : 'json'
}

function guess(operation: DescribedOperation, known: Knowledge, random: RepeatableRandom): Wish {
  const valuesIn = (place: string) =>
    operation.parameters
      .filter((each) => each.place === place && (each.required || random.chance(0.3)))
      .map(({ name, schema }) => [name, String(valueForSchema(schema, random))] as const)
  const kind = operation.path.split('/')[1] ?? ''
  const ids = known.ids.get(kind) ?? []
  return {
    as: random.pick(ACTIVE),
    params: { ...Object.fromEntries(valuesIn('path')), ...(ids.length > 0 && { id: random.pickAny(ids) ?? '1' }) },
    query: Object.fromEntries(valuesIn('query').filter(([name]) => !['dry_run', 'cursor', 'fields'].includes(name))),
    ...(operation.body && { body: valueForSchema(operation.body, random) }),
  }
}

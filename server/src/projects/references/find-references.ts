import { sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../project.ts'
import { mayEnter } from '../visibility.ts'
import { closingWordBefore, referenceArguments, type ParsedReference, parseReferences } from './parse-references.ts'
import { findReferenceKind, type ReferenceKind } from './reference-kind.ts'
import type { OwnKeywords } from './own-keywords.ts'
import { parseSourceKeys, preferProject } from './source-keys.ts'

export interface FoundReference extends ParsedReference {
  /** The project that the reference points to. */
  readonly project_id: ProjectId
  readonly kind: Omit<ReferenceKind, 'keywords'>
  /** Several artifacts have the source key that the text names. */
  readonly isAmbiguous?: true
}

interface Target {
  id: ProjectId
  shortname: string
  /** The services of the project. */
  services: string[]
  /** The project's own keywords. */
  keywords: string[]
}

/**
 * The references in a text whose keyword their project knows. A reference into a project that the viewer may not enter
 * is ignored, as if the project did not exist. So is a source key of artifacts that the viewer may not see.
 */
export async function findReferences(
  context: Context,
  viewer: Viewer,
  current: { readonly id: ProjectId },
  text: string,
): Promise<FoundReference[]> {
  const numbered = await findNumbered(context, viewer, current, text)
  const keyed = await findKeyed(context, viewer, current, text)
  return keyed.length === 0 ? numbered : [...numbered, ...keyed].toSorted((one, other) => one.at - other.at)
}

/** Source keys of imported artifacts (`ABC-123`), as references to the artifacts by id. */
async function findKeyed(
  { db, referenceKinds, findByKeys }: Context,
  viewer: Viewer,
  current: { readonly id: ProjectId },
  text: string,
): Promise<FoundReference[]> {
  const written = parseSourceKeys(text)
  const kind = findReferenceKind(referenceKinds, 'art', 1)
  if (written.length === 0 || !kind) return []
  const found = await findByKeys(db, viewer, [...new Set(written.map(({ key }) => key))])
  const byKey = Map.groupBy(found, ({ key }) => key)
  return written.flatMap(({ at, key }) => {
    const targets = preferProject(byKey.get(key) ?? [], ({ project_id }) => project_id === current.id)
    return targets.map(({ id, project_id }) => ({
      at,
      text: key,
      keyword: 'art',
      project: '',
      value: String(id),
      context: closingWordBefore(text, at),
      project_id,
      kind,
      ...(targets.length > 1 && { isAmbiguous: true as const }),
    }))
  })
}

async function findNumbered(
  { db, referenceKinds, ownKeywords }: Context,
  viewer: Viewer,
  current: { readonly id: ProjectId },
  text: string,
): Promise<FoundReference[]> {
  const parsed = parseReferences(text)
  const names = parsed.map(({ project }) => project || String(current.id))
  const targets = await findTargets(db, viewer, new Set(names), ownKeywords)
  return parsed.flatMap((reference, at) => {
    const target = targets.get((names[at] ?? '').toLowerCase())
    const { length } = referenceArguments(reference)
    const isOwn = length === 1 && target?.keywords.includes(reference.keyword)
    const kind = isOwn ? ownKeywords.kind : findReferenceKind(referenceKinds, reference.keyword, length)
    const isKnown = kind && (kind.service === undefined || target?.services.includes(kind.service))
    return target && isKnown ? [{ ...reference, project_id: target.id, kind }] : []
  })
}

async function findTargets(
  db: Context['db'],
  viewer: Viewer,
  names: ReadonlySet<string>,
  ownKeywords: OwnKeywords,
): Promise<Map<string, Target>> {
  if (names.size === 0) return new Map()
  const ids = [...names].filter((name) => /^\d{1,15}$/.test(name)).map(Number)
  const shortnames = [...names].map((name) => name.toLowerCase())
  const { rows } = await sql<Target>`
    select project.id, project.shortname, array(select project_service.name from project_service
      where project_service.project_id = project.id and project_service.is_enabled) as services,
      ${ownKeywords.known(viewer)} as keywords
    from project
    where (project.id = any(${ids}::bigint[]) or folded(project.shortname) = any(${shortnames}::text[]))
      and ${mayEnter(viewer, aliases('project'))}`.execute(db)
  return new Map([
    ...rows.map((row) => [row.shortname.toLowerCase(), row] as const),
    ...rows.map((row) => [String(row.id), row] as const), // An id takes precedence over a numeric short name.
  ])
}

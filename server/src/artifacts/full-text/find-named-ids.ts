import { sql } from 'kysely'
import type { QuickQuery } from '../../projects/search/quick-kind.ts'
import type { ArtifactId } from '../artifact.ts'
import { artifactsByKey, hasSourceKey } from '../imports/source-key.ts'
import { joinArtifact, joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'
import { readReference } from './read-reference.ts'

/** Visible artifacts that the query names by id, reference or source key, in any project. */
export async function findNamedIds({ context, viewer, keywords, limit }: QuickQuery): Promise<ArtifactId[]> {
  const named = readReference({ context, keywords })
  const { rows: keyed } = await sql`select ${artifactsByKey(keywords)} limit 1`.execute(context.db)
  if (!named && keyed.length === 0) return []
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<{ id: ArtifactId }>`
    select artifact.id
    from (select ${named?.id ?? null}::bigint as id union select ${artifactsByKey(keywords)}) named
      ${joinArtifact(sql`named.id`)} ${joined}
    where (${named?.isIt ?? sql`false`} or ${hasSourceKey(keywords)}) and ${maySeeArtifact(viewer, joined)}
    order by artifact.id limit ${limit}`.execute(context.db)
  return rows.map(({ id }) => id)
}

/** True for `#12` and `bug #12`, which ask for one artifact. A number alone may also be a word. */
export function isReference({ context, keywords }: Pick<QuickQuery, 'context' | 'keywords'>): boolean {
  return keywords.includes('#') && readReference({ context, keywords }) !== undefined
}

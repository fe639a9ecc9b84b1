import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../project.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Finds imported artifacts by the keys that they had in their source. Provided in `ports.ts`. */
    readonly findByKeys: FindByKeys
  }
}

export interface KeyTarget {
  readonly key: string
  readonly id: number
  readonly project_id: ProjectId
}

/** The artifacts with these keys that the viewer may see, in the order of their ids. */
export type FindByKeys = (db: Db | Tx, viewer: Viewer, keys: readonly string[]) => Promise<readonly KeyTarget[]>

/** The keyword of stored references by key. No keyword in a text contains it. */
export const KEY_KEYWORD = '@'

interface WrittenKey {
  /** The offset in the text. */
  readonly at: number
  readonly key: string
}

const MAX_KEYS = 1000

// Every part has a fixed maximum and starts at a word boundary, so the expression runs in linear time.
const KEY = /(?<![\p{L}\p{N}_-])[A-Za-z][A-Za-z0-9_]{0,99}-[0-9]{1,15}(?![\p{L}\p{N}_-])/gu

/** In every key. Dashes of lists and of words have no digit behind them. */
const SIGN = /-[0-9]/

/**
 * The words of a text that may be keys of imported artifacts, in order and limited in number: `ABC-123`. Keys of
 * another form do not stand out from text, so they are no references.
 */
export function parseSourceKeys(text: string): readonly WrittenKey[] {
  if (!SIGN.test(text)) return []
  const found = text.matchAll(KEY).take(MAX_KEYS)
  return found.map(({ 0: key, index }) => ({ at: index, key })).toArray()
}

/** Of the artifacts with one key, those in the project of the text take precedence. */
export function preferProject<T>(targets: readonly T[], isNear: (target: T) => boolean): readonly T[] {
  const near = targets.filter(isNear)
  return near.length > 0 ? near : targets
}

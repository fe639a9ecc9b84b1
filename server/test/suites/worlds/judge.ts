import type { CanaryIndex } from './canaries.ts'
import type { Block } from './fixture.ts'
import type { Reader, Truth } from './truth.ts'

export interface BatchResult {
  readonly leaks: string[]
  /** Canaries that came to readers who may have them, by channel: proof that there is something to find. */
  readonly found: Map<string, number>
}

/** `ownFields`: of a hook without `as_user`, which may send all fields of its own tracker. */
export type Judge = (channel: string, text: string, reader: Reader, ownFields?: Block) => Promise<void>

/** Compares every canary in a text with what its reader can GET. */
export function createJudge(index: CanaryIndex, truth: Truth, { leaks, found }: BatchResult): Judge {
  return async (channel, text, reader, ownFields) => {
    const who = reader?.login ?? 'an anonymous caller'
    const { known, unknown } = index.search(text)
    for (const each of unknown) leaks.push(`${channel}: ${who} got ${each} of no known world`)
    for (const canary of known) {
      const isOwn = canary.isOwnField && canary.world.block.left === ownFields?.left
      if (isOwn || (await truth.isReadable(reader, canary))) found.set(channel, (found.get(channel) ?? 0) + 1)
      else leaks.push(`world ${canary.world.number}: ${channel}: ${who} got ${canary.text}`)
    }
  }
}

import { readFile, rename, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { PeerLoadOutcome } from '../load.ts'
import type { PeerOperation } from '../requests.ts'

/** One round: the same load on both versions. */
export interface Round {
  readonly now: PeerLoadOutcome
  readonly before: PeerLoadOutcome
}

/** Rounds of another comparison are not continued. */
export interface ComparedVersions {
  readonly now: string
  readonly before: string
  readonly size: number
  readonly seconds: number
  readonly viewers: number
  readonly settings: readonly string[]
}

type Rounds = Partial<Record<PeerOperation, readonly Round[]>>

/** Finished rounds in a file, so that an interrupted run continues where it ended. */
export class Progress {
  readonly #file: string
  readonly #comparison: ComparedVersions
  readonly #rounds: Rounds

  private constructor(file: string, comparison: ComparedVersions, rounds: Rounds) {
    this.#file = file
    this.#comparison = comparison
    this.#rounds = rounds
  }

  static async open(file: string, comparison: ComparedVersions): Promise<Progress> {
    const kept: { comparison?: ComparedVersions; rounds?: Rounds } = JSON.parse(
      await readFile(file, 'utf8').catch(() => '{}'),
    )
    const isSame = isDeepStrictEqual(kept.comparison, comparison)
    return new Progress(file, comparison, isSame ? { ...kept.rounds } : {})
  }

  rounds(operation: PeerOperation): readonly Round[] {
    return this.#rounds[operation] ?? []
  }

  async add(operation: PeerOperation, round: Round): Promise<void> {
    this.#rounds[operation] = [...this.rounds(operation), round]
    const text = JSON.stringify({ comparison: this.#comparison, rounds: this.#rounds })
    await writeFile(`${this.#file}.new`, text)
    await rename(`${this.#file}.new`, this.#file)
  }
}

declare global {
  /** Read by the planted code of `mutate.ts`. */
  var waypostMutants: MutantSwitch
}

/** More evaluations than any sound test makes: the fault has made a loop endless. */
const MAX_EVALUATIONS = 1_000_000

/** Which fault is active in this process, and which ones the running test reaches. */
export class MutantSwitch {
  active: string | undefined
  reached = new Set<string>()
  #evaluations = 0

  is(id: string): boolean {
    this.reached.add(id)
    if (id !== this.active) return false
    if (++this.#evaluations > MAX_EVALUATIONS) throw new Error('Endless loop in a mutant.')
    return true
  }

  activate(id: string | undefined): void {
    this.active = id
    this.#evaluations = 0
  }
}

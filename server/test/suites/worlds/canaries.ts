import type { Block } from './fixture.ts'

/** A text that leads to something hidden. */
export interface Canary {
  readonly text: string
  /** A field of an artifact of the hooks' own tracker, which hooks without `as_user` may send. */
  readonly isOwnField: boolean
  /** The address where an account that may read it usually finds it. */
  readonly home: 'artifact' | 'history' | 'place'
  readonly world: World
}

export interface World {
  readonly number: number
  readonly block: Block
  readonly main: number
  readonly foreign: number
  readonly child: number
  /** An artifact of the right project that links to `main`. */
  readonly referrer: number
  readonly canaries: readonly Canary[]
}

/** Every canary of any world looks like one of these; a number is not found inside of a longer one. */
const FORMS = /cw-[a-z]+(?:-[a-z0-9]+)+|artifacts\/\d+|(?<!\d)[459]\d{8}(?!\d)/g

/** The canaries of the worlds that may still be under way. */
export interface CanaryIndex {
  add(world: World): void
  /** `unknown`: texts that look like canaries and belong to no world that is kept. */
  search(text: string): { readonly known: ReadonlySet<Canary>; readonly unknown: ReadonlySet<string> }
}

/** Deliveries that are tried again come later than their batch. */
const KEPT_WORLDS = 500

export function createCanaryIndex(): CanaryIndex {
  const byText = new Map<string, Canary>()
  const worlds: World[] = []
  return {
    add(world) {
      worlds.push(world)
      const forgotten = worlds.length > KEPT_WORLDS ? worlds.shift() : undefined
      for (const { text, world: its } of forgotten?.canaries ?? [])
        if (byText.get(text)?.world === its) byText.delete(text)
      for (const canary of world.canaries) byText.set(canary.text, canary)
    },
    search(text) {
      const known = new Set<Canary>()
      const unknown = new Set<string>()
      for (const found of textsIn(text)) {
        const canary = byText.get(found)
        if (canary) known.add(canary)
        else if (found.startsWith('cw-')) unknown.add(found)
      }
      return { known, unknown }
    },
  }
}

export function textsIn(text: string): Set<string> {
  return new Set(text.match(FORMS))
}

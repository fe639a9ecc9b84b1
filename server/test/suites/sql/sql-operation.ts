import type { SqlScene } from './scene.ts'

/** A page of `docs/sql`. */
export interface SqlOperation {
  /** The name of the file, without `.sql`. */
  readonly name: string
  /** The first line of the page: the request, poller or function. */
  readonly runs: string
  /** The second line: when it runs. */
  readonly note: string
  /** Prepares one run. Two runs are made, and the second is recorded: its caches and connections are warm. */
  readonly prepare: (scene: SqlScene) => Run | Promise<Run>
  /** The page shows only the longest transaction. */
  readonly isOneTransaction?: true
}

/** Resolves with the response, if it has one. */
type Run = () => Promise<unknown>

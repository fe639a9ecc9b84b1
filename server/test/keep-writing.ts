import type { Client } from './client.ts'
import type { MadeTracker } from './every-field.ts'
import { attach, upload } from './uploads.ts'

/** An artifact with one file, and when it was asked for and acknowledged. */
export interface Told {
  readonly artifact: number
  readonly file: number
  readonly text: string
  readonly begun: number
  readonly told: number
}

/** Somebody who writes until he is told to stop. What he was told is in the list. */
export async function keepWriting(
  api: Client,
  tracker: MadeTracker,
  list: Told[],
  name: string,
  signal: AbortSignal,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const [text, begun] = [`${name} ${turn}`, Date.now()]
    const file = await upload(api, tracker.field('papers'), text, { name: `${name}-${turn}.txt` }) // The same name would be the same upload.
    list.push({ artifact: await attach(api, tracker, [file]), file, text, begun, told: Date.now() })
  }
}

import type { TestClient } from './client.ts'
import type { MadeTracker } from '../fixtures/every-field.ts'
import { attach, uploadTestFile } from '../fixtures/uploads.ts'

/** An artifact with one file, and the times of its request and acknowledgement. */
export interface AcknowledgedWrite {
  readonly artifact: number
  readonly file: number
  readonly text: string
  readonly begun: number
  readonly acknowledged: number
}

/** Writes until stopped, and adds each acknowledged write to the list. */
export async function keepWriting(
  api: TestClient,
  tracker: MadeTracker,
  list: AcknowledgedWrite[],
  name: string,
  signal: AbortSignal,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const [text, begun] = [`${name} ${turn}`, Date.now()]
    try {
      const file = await uploadTestFile(api, tracker.field('papers'), text, { name: `${name}-${turn}.txt` }) // The same name would be the same upload.
      list.push({ artifact: await attach(api, tracker, [file]), file, text, begun, acknowledged: Date.now() })
    } catch (error) {
      if (!String(error).includes('"reason":"unavailable"')) throw error // A busy machine refuses some writes.
    }
  }
}

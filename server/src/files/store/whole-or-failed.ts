import { pipeline, type Readable, Transform } from 'node:stream'

/** In milliseconds: how long a peer may send nothing while we wait for it. */
const SILENCE = 60_000

/** The same bytes, of which there must be so many: a peer that ends early, or falls silent, is an error and not an end. */
export function wholeOrFailed(source: Readable, size: number, silence = SILENCE): Readable {
  let missing = size
  let heard = Date.now()
  const whole = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      missing -= chunk.length
      heard = Date.now()
      done(null, chunk)
    },
    flush(done) {
      done(missing === 0 ? null : new Error(`${missing} of ${size} bytes are missing.`))
    },
  })
  // A reader who takes his time is no silence of the peer.
  const watch = setInterval(() => {
    if (whole.writableLength > 0 || whole.readableLength > 0) heard = Date.now()
    else if (Date.now() - heard >= silence) whole.destroy(new Error(`No byte came for ${silence} ms.`))
  }, silence / 4).unref()
  pipeline(source, whole, () => clearInterval(watch))
  return whole
}

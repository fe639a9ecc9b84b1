import { pipeline, type Readable, Transform } from 'node:stream'

/** Stall timeout: the maximum time without data while waiting for the peer. */
const STALL_TIMEOUT_MS = 60_000

/**
 * Passes the bytes through and asserts their number: a peer that ends early or stalls causes an error instead of an
 * end.
 */
export function assertStreamLength(source: Readable, size: number, stallTimeoutMs = STALL_TIMEOUT_MS): Readable {
  let missing = size
  let lastByteAt = Date.now()
  const whole = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      missing -= chunk.length
      lastByteAt = Date.now()
      done(null, chunk)
    },
    flush(done) {
      done(missing === 0 ? null : new Error(`${missing} of ${size} bytes are missing.`))
    },
  })
  // A slow reader (backpressure) is not a stall of the peer.
  const watch = setInterval(() => {
    if (whole.writableLength > 0 || whole.readableLength > 0) lastByteAt = Date.now()
    else if (Date.now() - lastByteAt >= stallTimeoutMs)
      whole.destroy(new Error(`No byte came for ${stallTimeoutMs} ms.`))
  }, stallTimeoutMs / 4).unref()
  pipeline(source, whole, () => clearInterval(watch))
  return whole
}

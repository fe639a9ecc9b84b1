/** The bytes of a text, in memory of their own: a slice of the shared pool would keep all of the pool in memory. */
export function toOwnBuffer(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

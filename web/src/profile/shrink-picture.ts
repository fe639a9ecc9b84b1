const SIDE_PIXELS = 256
const CHUNK_BYTES = 8_192

/** The middle of the picture as a small square PNG, in base64; undefined if the browser cannot read the file. */
export async function shrinkPicture(file: File): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  const side = Math.min(bitmap.width, bitmap.height)
  const size = Math.min(side, SIDE_PIXELS)
  const canvas = new OffscreenCanvas(size, size)
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  const pen = canvas.getContext('2d')
  if (!pen) return undefined
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(bitmap, left, top, side, side, 0, 0, size, size)
  bitmap.close()
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  return toBase64(new Uint8Array(await blob.arrayBuffer()))
}

/** In chunks: a function takes a limited number of arguments. */
function toBase64(bytes: Uint8Array): string {
  let letters = ''
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES)
    letters += String.fromCharCode(...bytes.subarray(from, from + CHUNK_BYTES))
  return btoa(letters)
}

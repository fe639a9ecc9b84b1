import sharp from 'sharp'
import { updateArtifact } from '../../artifacts/update-artifact/update-artifact.ts'
import { createTemporaryFile } from '../../files/temporary-files/create-temporary-file.ts'
import { type DemoScene, idOf } from './demo-scene.ts'

const TRACE = Array.from({ length: 40 }, (_, at) => {
  const second = (11 + at / 10).toFixed(3).padStart(6, '0')
  return `14:02:${second} ${at % 2 === 0 ? 'POST /v1/captures 201' : 'GET /v1/payments/pay_81f0 200'} ${20 + ((at * 37) % 90)} ms`
}).join('\n')

/** Uploads files and attaches them to an artifact. */
export async function attachDemoFiles(
  scene: DemoScene,
  artifact: number,
  by: string,
  names: readonly string[],
): Promise<void> {
  const ids: number[] = []
  for (const name of names) {
    const isPicture = name.endsWith('.png')
    const content = isPicture ? await drawCaptures() : Buffer.from(TRACE)
    const mimetype = isPicture ? 'image/png' : 'text/plain'
    const body = { name, mimetype, content: content.toString('base64') }
    ids.push(idOf(await scene.call(by, createTemporaryFile, { body })))
  }
  const body = { values_by_field: { attachments: { value: ids } } }
  await scene.call(by, updateArtifact, { params: { id: artifact }, body })
}

/** A chart of captures per hour, with the double ones in red. */
function drawCaptures(): Promise<Buffer> {
  const bars = Array.from({ length: 24 }, (_, hour) => {
    const height = Math.round(30 + 90 * Math.abs(Math.sin(hour / 4)))
    const double = hour % 5 === 3 ? 18 : 0
    const x = 20 + hour * 19
    return `<rect x="${x}" y="${180 - height}" width="12" height="${height}" fill="#3b82a6"/><rect x="${x}" y="${180 - height - double}" width="12" height="${double}" fill="#c2410c"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="490" height="210"><rect width="490" height="210" fill="#f8f7f4"/><path d="M16 180 H476" stroke="#8a8f98"/>${bars.join('')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

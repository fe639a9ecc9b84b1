import type { Page } from 'playwright-core'
import sharp from 'sharp'

const GAP = 12
const BAR_HEIGHT = 36
const GROUND = '#dcd9d1'
const INK = '#23262b'

interface Window {
  readonly page: Page
  readonly name: string
}

/** Frames of windows side by side, each with a bar that names its person and what they do. */
export class MovingPicture {
  private readonly windows: readonly Window[]
  private readonly frames: { bytes: Buffer; milliseconds: number }[] = []
  private captions: readonly string[] = []

  constructor(windows: readonly Window[]) {
    this.windows = windows
  }

  /** The caption of a window, until the next one. */
  caption(page: Page, what: string): void {
    this.captions = this.windows.map((window) => (window.page === page ? what : ''))
  }

  /** Adds a frame. A frame like the one before only lengthens that one. */
  async take(milliseconds: number): Promise<void> {
    const bytes = await this.draw()
    const last = this.frames.at(-1)
    if (last?.bytes.equals(bytes)) last.milliseconds += milliseconds
    else this.frames.push({ bytes, milliseconds })
  }

  seconds(): number {
    return this.frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  }

  /** An animated GIF, which README files show like a picture. */
  save(file: string) {
    return sharp(
      this.frames.map(({ bytes }) => bytes),
      { join: { animated: true } },
    )
      .gif({
        colours: 128,
        dither: 0,
        interFrameMaxError: 4,
        loop: 0,
        delay: this.frames.map(({ milliseconds }) => milliseconds),
      })
      .toFile(file)
  }

  private async draw(): Promise<Buffer> {
    const pictures = await Promise.all(this.windows.map(({ page }) => page.screenshot({ animations: 'disabled' })))
    const { width = 0, height = 0 } = this.windows[0]?.page.viewportSize() ?? {}
    const layers = pictures.flatMap((input, at) => {
      const left = GAP + at * (width + GAP)
      const bar = Buffer.from(this.drawBar(at, width))
      return [
        { input: bar, left, top: GAP },
        { input, left, top: GAP + BAR_HEIGHT },
      ]
    })
    const size = { width: GAP + (width + GAP) * pictures.length, height: height + BAR_HEIGHT + 2 * GAP }
    return sharp({ create: { ...size, channels: 3, background: GROUND } })
      .composite(layers)
      .png({ compressionLevel: 1 })
      .toBuffer()
  }

  private drawBar(at: number, width: number): string {
    const text = `font-family="sans-serif" font-size="17" fill="${INK}"`
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${BAR_HEIGHT}">
      <rect width="${width}" height="${BAR_HEIGHT}" fill="#fff"/>
      <text x="14" y="24" font-weight="bold" ${text}>${this.windows[at]?.name}</text>
      <text x="${width - 14}" y="24" text-anchor="end" ${text}>${this.captions[at] ?? ''}</text>
    </svg>`
  }
}

import type { Locator, Page } from 'playwright-core'
import { inFocus, tabTo } from './keyboard.ts'

/** Seconds per step of a person, after the keystroke-level model of Card, Moran and Newell, for an average typist. */
const PACE = { think: 1.35, point: 1.1, button: 0.1, key: 0.28, changeHand: 0.4, lookAtPage: 2 }

export type Way = 'mouse' | 'keyboard'

export const WAYS_AND_WIDTHS = [
  { way: 'mouse', width: 1440 },
  { way: 'mouse', width: 390 },
  { way: 'keyboard', width: 1440 },
  { way: 'keyboard', width: 390 },
] as const satisfies readonly { way: Way; width: number }[]

/** Works with a page by mouse or by keyboard alone, and adds up how long a person would take. It does not wait that long. */
export class Hands {
  readonly #page: Page
  readonly #way: Way
  #seconds = 0
  #clicks = 0
  #keys = 0
  #isAtKeyboard: boolean

  constructor(page: Page, way: Way) {
    this.#page = page
    this.#way = way
    this.#isAtKeyboard = way === 'keyboard'
  }

  get seconds(): number {
    return Math.round(this.#seconds)
  }

  toString(): string {
    return `${this.seconds} s at human pace, ${this.#clicks} clicks, ${this.#keys} keys`
  }

  /** A page or dialog that the person reads before the next step. */
  async read(shown: Locator): Promise<void> {
    await shown.waitFor()
    this.#seconds += PACE.lookAtPage
  }

  /** Activates a control: a click, or the way to it by Tab, and `key`. */
  async press(control: Locator, key = 'Enter'): Promise<void> {
    await control.waitFor()
    if (this.#way === 'mouse') {
      this.#click()
      await control.click()
      return
    }
    await this.goTo(control)
    await this.key(key)
  }

  /** A check box or radio button. */
  tick(control: Locator): Promise<void> {
    return this.press(control, 'Space')
  }

  /** Chooses in a native list: its first letters by keyboard. */
  async choose(list: Locator, label: string): Promise<void> {
    await list.locator('option', { hasText: label }).waitFor({ state: 'attached' })
    if (this.#way === 'mouse') {
      this.#click()
      this.#click()
      await list.selectOption({ label })
    } else {
      await this.goTo(list)
      await this.type(label)
    }
  }

  /** Chooses in the menu of a button: by keyboard its letters, then Enter. */
  async chooseInMenu(trigger: Locator, label: string): Promise<void> {
    await this.press(trigger)
    const option = this.#page.getByRole('option', { name: label, exact: true })
    await option.waitFor()
    if (this.#way === 'mouse') return this.press(option)
    await this.type(label)
    await this.key('Enter')
  }

  /** Writes into a field that may have the focus already. */
  async fill(field: Locator, words: string): Promise<void> {
    await field.waitFor()
    if ((await inFocus(field).count()) === 0) await (this.#way === 'mouse' ? this.press(field) : this.goTo(field))
    await this.type(words)
  }

  async type(words: string): Promise<void> {
    this.#toKeyboard()
    this.#keys += words.length
    this.#seconds += PACE.think + words.length * PACE.key
    await this.#page.keyboard.type(words)
  }

  /** Repeated: without a thought in between. */
  async key(key: string, { isRepeated = false } = {}): Promise<void> {
    this.#toKeyboard()
    this.#keys += 1
    this.#seconds += (isRepeated ? 0 : PACE.think) + PACE.key * key.split('+').length
    await this.#page.keyboard.press(key)
  }

  /** Drags by mouse. */
  async drag(from: Locator, to: Locator): Promise<void> {
    for (const each of [to, from]) await each.scrollIntoViewIfNeeded()
    const [start, end] = [await from.boundingBox(), await to.boundingBox()]
    if (!start || !end) throw new Error('There is nothing to drag, or nowhere to drop it.')
    this.#click()
    this.#seconds += PACE.point
    const { mouse } = this.#page
    await mouse.move(start.x + 8, start.y + 8)
    await mouse.down()
    await mouse.move(start.x + 30, start.y + 20)
    await mouse.move(end.x + Math.min(40, end.width / 2), end.y + 10, { steps: 3 })
    await mouse.up()
  }

  /** Moves the focus by Tab. */
  async goTo(control: Locator): Promise<void> {
    const steps = await tabTo(control)
    this.#keys += steps
    this.#seconds += PACE.think + steps * PACE.key
  }

  #click(): void {
    if (this.#isAtKeyboard) this.#seconds += PACE.changeHand
    this.#isAtKeyboard = false
    this.#clicks += 1
    this.#seconds += PACE.think + PACE.point + 2 * PACE.button
  }

  #toKeyboard(): void {
    if (!this.#isAtKeyboard) this.#seconds += PACE.changeHand
    this.#isAtKeyboard = true
  }
}

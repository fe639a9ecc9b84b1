import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { choosePort } from './choose-port.ts'

const taken = createServer()
afterAll(() => taken.close())

test('a port whose next one is in use is refused, and 0 finds two free ones', async () => {
  const port = await choosePort(0)
  expect(port).toBeGreaterThan(0)
  expect(await choosePort(port)).toBe(port)
  await once(taken.listen(port + 1), 'listening')
  await expect(choosePort(port)).rejects.toThrow(`Port ${port + 1} is in use.`)
  await expect(choosePort(port + 1)).rejects.toThrow(`Port ${port + 1} is in use.`)
})

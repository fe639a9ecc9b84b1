import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendGarbage } from '../../test/harness/send-garbage.ts'
import { startMailCatcher } from './mail-catcher.ts'

test('V06/mail noise and connection resets on the mail catcher of `waypost dev` do not end the process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-mails-'))
  const catcher = await startMailCatcher(folder)
  await sendGarbage({ port: Number(new URL(catcher.url).port) })
  await catcher.stop()
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

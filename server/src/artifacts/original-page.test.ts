import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'

const { api } = await startWorld({ seedOnce: true })
const open = (rest: string) => fetch(`${api.origin}/plugins/tracker/${rest}`, { redirect: 'manual' })

describe('an address of the original system', () => {
  test.each([
    ['?aid=12', '/artifacts/12'],
    ['?tracker=7', '/trackers/7'],
    ['?tracker=7&aid=12', '/artifacts/12'],
    ['?group_id=101&tracker=7', '/trackers/7'],
  ])('%s redirects to ours', async (old, now) => {
    const { status, headers } = await open(old)
    expect([status, headers.get('location')]).toEqual([302, now])
  })

  test.each(['', '?aid=', '?aid=0', '?aid=-1', '?aid=1/../2', '?aid=1&aid=2', '?aid=//evil.example', '?func=new'])(
    'redirects nowhere else: %s',
    async (rest) => {
      expect((await open(rest)).status).toBe(404)
    },
  )
})

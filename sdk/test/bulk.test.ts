import { describe, expect, test } from 'vitest'
import { startWorld } from '../../server/test/harness/start-world.ts'
import { TOM } from '../../server/test/fixtures/people.ts'
import { BUG, BUGS, SAFE } from '../../server/test/fixtures/seed-ids.ts'
import { Refusal } from '../src/answer.ts'
import { writeMany } from '../src/bulk.ts'
import { createClient } from '../src/client.ts'

const { api } = await startWorld()
const client = createClient({ url: api.origin, key: TOM.key })
const { signal } = new AbortController()
const named = (title: string) => ({
  op: 'create' as const,
  values: [{ field_id: BUG.summary, value: title }],
})
const count = async () => (await api.get(`/trackers/${BUGS}/artifacts`, { as: TOM })).json.length

describe('many artifacts', () => {
  test('are written line by line, and a refused line does not affect the others', async () => {
    const lines = [named('one'), { op: 'update' as const, id: 999_999, values: [] }, named('two')]

    const answers = await Array.fromAsync(writeMany(client, BUGS, lines, { signal }))

    expect(answers).toMatchObject([
      { line: 1, status: 201, id: expect.any(Number), etag: expect.any(String) },
      { line: 2, status: 404, error: { reason: 'not_found', i18n_error_message: expect.any(String) } },
      { line: 3, status: 201 },
    ])
    expect(await count()).toBe(2)
  })

  test('are not written in a dry run', async () => {
    const answers = await Array.fromAsync(writeMany(client, BUGS, [named('one')], { signal, isDryRun: true }))

    expect(answers).toMatchObject([{ status: 201, id: null, dry_run: { changes: [{ op: 'create' }] } }])
    expect(await count()).toBe(0)
  })

  test('of an invisible tracker are refused as a whole', async () => {
    const failing = Array.fromAsync(writeMany(client, SAFE, [named('one')], { signal }))

    await expect(failing).rejects.toThrow(Refusal)
  })

  test('with a truncated response throw, although the lines before are written', async () => {
    const cut = createClient({
      url: api.origin,
      key: TOM.key,
      fetch: async (url, request) => {
        const text = await (await fetch(url, request)).text()
        return new Response(text.split('\n').slice(0, 1).join('\n').concat('\n'))
      },
    })
    const seen: number[] = []
    const walk = async () => {
      for await (const { line } of writeMany(cut, BUGS, [named('one'), named('two')], { signal })) seen.push(line)
    }

    await expect(walk()).rejects.toMatchObject({ failure: { reason: 'unreachable' } })
    expect(seen).toEqual([1])
  })
})

import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PagesQueryClient } from './query-client.ts'

/** A query that answers only when it is told to. */
function startQuery() {
  const client = new PagesQueryClient()
  const answers: ((value: string) => void)[] = []
  const query = {
    queryKey: ['list'],
    queryFn: () => new Promise<string>((resolve) => void answers.push(resolve)),
    retry: false,
  }
  const observer = new QueryObserver(client, query)
  onTestFinished(observer.subscribe(() => undefined))
  return { client, query, observer, answers }
}

describe('a change during a load', () => {
  test('loads once more after the first load, which may have read the state before', async () => {
    const { client, query, observer, answers } = startQuery()
    const waiting = client.fetchQuery(query)
    const invalidated = client.invalidateQueries({ queryKey: ['list'] })
    answers[0]?.('before')
    expect(await waiting).toBe('before')
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.('after')
    await invalidated
    expect(observer.getCurrentResult()).toMatchObject({ data: 'after', isSuccess: true, isFetching: false })
    expect(answers).toHaveLength(2)
  })

  test('lets a first load end that no component shows', async () => {
    const client = new PagesQueryClient()
    const waiting = client.fetchQuery({ queryKey: ['list'], queryFn: () => Promise.resolve('before') })
    await client.invalidateQueries({ queryKey: ['list'] })
    expect(await waiting).toBe('before')
  })
})

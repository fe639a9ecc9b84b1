import { beforeAll, describe, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { GUS, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { KEEPERS, LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let plain: MadeTracker
beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  plain = await makeTestTracker(api, { ...EVERY_FIELD, label: 'Plain', item_name: 'plain', settings: {} })
})

const say = async (comment: unknown, as: TestPerson = TOM, into = tracker) => {
  const id = await makeTestArtifact(api, into, { summary: 'Crates' })
  return { id, answer: await api.put(`/artifacts/${id}`, { as, body: { values: [], comment } }) }
}
const heard = async (id: number, as: TestPerson = TOM) => {
  const { json } = await api.get(`/artifacts/${id}/changesets`, { as })
  return json.map(({ last_comment }: { last_comment: object }) => last_comment).slice(1)
}

describe('a comment', () => {
  test('alone creates a version', async () => {
    const { id, answer } = await say({ body: 'Hello', format: 'text' })

    expect(answer.status).toBe(200)
    expect(await heard(id)).toEqual([{ body: 'Hello', post_processed_body: 'Hello', format: 'text', ugroups: null }])
  })

  test.each([
    ['text', '<b>Hi</b>', { body: '<b>Hi</b>', format: 'text', post_processed_body: '&lt;b&gt;Hi&lt;/b&gt;' }],
    ['html', '<b>Hi</b><script>1</script>', { format: 'html', post_processed_body: '<b>Hi</b>' }],
    ['commonmark', '**Hi**', { format: 'html', commonmark: '**Hi**', body: '<p><strong>Hi</strong></p>' }],
    ['markdown', '**Hi**', { format: 'html', commonmark: '**Hi**' }],
    [undefined, '**Hi**', { format: 'html', commonmark: '**Hi**' }],
    [null, '**Hi**', { format: 'html', commonmark: '**Hi**' }],
    [7, '**Hi**', { format: 'html', commonmark: '**Hi**' }],
  ])('has a format; %s', async (format, body, expected) => {
    const { id } = await say({ body, format })
    expect(await heard(id)).toMatchObject([expected])
  })

  test.each([
    ['null', null],
    ['an empty one', { body: '' }],
    ['a blank one', { body: ' \n\t ' }],
  ])('without text is ignored: %s', async (_, comment) => {
    const { id, answer } = await say(comment)

    expect(answer.status).toBe(200)
    expect(await heard(id)).toEqual([])
  })

  test('has at most 65,535 bytes, whatever the number of characters', async () => {
    const { id, answer } = await say({ body: 'é'.repeat(32_767), format: 'text' })
    expect(answer.status).toBe(200)
    expect((await heard(id))[0].body).toHaveLength(32_767)

    const tooLong = refused(400, 'parameter_out_of_range', {
      path: 'comment.body',
      cause: 'comment_too_long',
      allowed: { maximum: 65_535 },
    })
    expect((await say({ body: 'é'.repeat(32_768) })).answer).toMatchObject(tooLong)
    const body = {
      tracker: { id: tracker.id },
      values_by_field: { summary: 'x' },
      comment: { body: 'x'.repeat(65_536) },
    }
    expect(await api.post('/artifacts', { as: TOM, body })).toMatchObject(tooLong)
  })

  test.each([
    ['a string', 'Hello', 'comment'],
    ['without a body', { format: 'text' }, 'comment.body'],
    ['with a number', { body: 7 }, 'comment.body'],
  ])('is an object with a body: not %s', async (_, comment, path) => {
    expect((await say(comment)).answer).toMatchObject({ status: 400, json: { error: { details: { path } } } })
  })

  test('creates references', async () => {
    const { id } = await say({ body: 'Nothing yet', format: 'text' })
    const other = await say({ body: `See art #${id}`, format: 'text' })
    const { json } = await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as: TOM })

    expect(json.values_by_field.references.value).toMatchObject([{ ref: `art #${other.id}`, direction: 'in' }])
  })
})

describe('a private comment', () => {
  const leads = (body: string) => ({ body, format: 'text', ugroups: [String(LEADS)] })

  test('is readable by its groups and by tracker administrators, and empty for others', async () => {
    const { id, answer } = await say(leads('Psst'), UMA)
    expect(answer.status).toBe(200)

    for (const person of [UMA, GUS, MARA]) expect(await heard(id, person)).toMatchObject([{ body: 'Psst' }])
    for (const person of [TOM, OLGA]) expect(await heard(id, person)).toEqual([])
  })

  test('accepts groups of this project only', async () => {
    for (const name of [String(KEEPERS), '999999', `${ORCHARD}_3000`, 'leads'])
      expect((await say({ body: 'Psst', ugroups: [name] })).answer).toMatchObject(
        refused(400, 'reference_unknown', { path: 'comment.ugroups[0]', cause: 'group_unknown' }),
      )
    const { answer } = await say({ body: 'Psst', ugroups: [`${ORCHARD}_4`, `${ORCHARD}_3`] })
    expect(answer.status).toBe(200)
  })

  test('is refused if the tracker has no private comments, and never becomes public', async () => {
    const { id, answer } = await say(leads('Psst'), UMA, plain)

    expect(answer).toMatchObject(refused(400, 'parameter_not_allowed', { path: 'comment.ugroups' }))
    expect(await heard(id)).toEqual([])
    expect((await say({ body: 'To all', ugroups: [] }, UMA, plain)).answer.status).toBe(200)
  })
})

import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { OLGA, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { KEEPERS, LEADS, MARSH, ORCHARD, SHADOWS, VAULT } from '../../../test/fixtures/seed-ids.ts'
import type { SettingValues } from '../../platform/operation/settings.ts'

const { api, context } = await startWorld()

const list = (query?: unknown, id: number = ORCHARD, as?: typeof TOM) =>
  api.get(
    `/projects/${id}/user_groups${query === undefined ? '' : `?query=${encodeURIComponent(JSON.stringify(query))}`}`,
    as && { as },
  )
const ids = async (...given: Parameters<typeof list>) => (await list(...given)).json.map(({ id }: { id: string }) => id)
const choose = (chosen: Partial<SettingValues>) =>
  context.db
    .updateTable('setting')
    .set((row) => ({ chosen, version: row('version', '+', 1) }))
    .execute()
const own = [`${ORCHARD}_3`, `${ORCHARD}_4`, `${ORCHARD}_19`, String(LEADS), String(SHADOWS)]

describe('GET /projects/{id}/user_groups', () => {
  test('lists dynamic and static groups in full', async () => {
    const { json, headers } = await list()
    expect(json.map(({ id }: { id: string }) => id)).toEqual(own)
    expect(json[3]).toEqual({
      id: String(LEADS),
      uri: `user_groups/${LEADS}`,
      label: 'leads',
      users_uri: `user_groups/${LEADS}/users`,
      short_name: 'leads',
      key: 'leads',
      additional_information: {},
    })
    expect(headers).toMatchObject({
      'x-pagination-size': '5',
      'x-pagination-limit': '5',
      'x-pagination-limit-max': '5',
      'x-pagination-offset': '0',
    })
  })

  test('includes the system groups whose members may enter', async () => {
    const query = { with_system_user_groups: true }
    expect(await ids(query)).toEqual(['1', '2', ...own])
    expect(await ids({ with_system_user_groups: false })).toEqual(own)
    expect(await ids(query, VAULT, VICTOR)).toEqual([`${VAULT}_3`, `${VAULT}_4`, `${VAULT}_19`, String(KEEPERS)])

    await choose({ restricted_users: true })
    expect(await ids(query)).toEqual(['1', '2', ...own])
    await context.db.updateTable('project').set({ access: 'unrestricted' }).where('id', '=', ORCHARD).execute()
    expect(await ids(query)).toEqual(['1', '2', '5', ...own])
    await choose({ restricted_users: true, anonymous_access: false })
    expect(await ids(query, ORCHARD, TOM)).toEqual(['2', '5', ...own])
  })

  test.each([
    { query: { colour: 'red' }, reason: 'query_unknown_key' },
    { query: { with_system_user_groups: 'yes' }, reason: 'parameter_invalid' },
    { query: { with_system_user_groups: 1 }, reason: 'parameter_invalid' },
    { query: [], reason: 'query_malformed' },
  ])('refuses the query $query with $reason', async ({ query, reason }) => {
    expect(await list(query)).toMatchObject({ status: 400, json: { error: { reason } } })
    // Errors that do not depend on the caller are reported before any lookup.
    expect((await list(query, VAULT, OLGA)).status).toBe(400)
  })

  test('is hidden with the project', async () => {
    expect((await list(undefined, VAULT)).status).toBe(401)
    expect((await list(undefined, VAULT, OLGA)).status).toBe(404)
    expect((await list(undefined, 2999, OLGA)).status).toBe(404)
    expect((await list(undefined, MARSH, TOM)).json.error.reason).toBe('project_suspended')
  })
})

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Response } from '../client.ts'
import { startWorld } from '../harness.ts'
import { ADA, GUS, MARA, OLGA, type Person, PIA, TOM, VICTOR } from '../people.ts'
import { KEEPERS, LEADS, VAULT, VAULT_SVN } from '../places.ts'
import { refused } from '../refused.ts'
import { aTenthOf, someOf } from '../sample.ts'
import { seedArtifacts } from '../seed-artifacts.ts'
import { attack, attackOnce, comparable } from './attack.ts'
import { addressOf, bodyOf, forget, IN_PROJECTS, optionsOf, pathOf, principals, TARGETS } from './inputs.ts'

const world = await startWorld({ seedOnce: true }) // Whatever is tried here, it is refused.
const { api, context } = world
await seedArtifacts(context.db)
const unread = refused(401, 'authentication_required')
const CLOSED = TARGETS.filter(({ route }) => route.access !== 'no_credentials' && !route.staysOpen)
const WRITES = TARGETS.filter(({ route }) => route.writes)
const READ_IN_PROJECTS = IN_PROJECTS.filter(({ route }) => !route.writes)
const BY_NUMBER = TARGETS.filter(
  ({ route, row }) => route.path.includes(':id') && /^\d+$/.test(String(row.subject.params('T1', 'P3')['id'])),
)

describe('without credentials', () => {
  test.each(aTenthOf(TARGETS, 'A01'))('A01 $name is public by the table of rights, or it is 401', async (target) => {
    const { route, row } = target
    await forget(context, target)
    const answer = await attackOnce(world, route.method, addressOf({ ...target, caller: undefined }), {
      ...(row.body !== undefined && { body: bodyOf(target) }),
    })
    const { status, headers } = answer
    const isPublic = route.access === 'no_credentials' || (route.access === 'everyone' && row.right('P1', 'T1'))
    expect(isPublic ? unread : { status, json: answer.json }).toMatchObject(unread)
    expect(String(headers['www-authenticate']).includes('AccessKey realm="Waypost API"')).toBe(status === 401)
  })

  test.each(aTenthOf(TARGETS, 'A01/head'))('A01/head $name is told nothing by HEAD', async (target) => {
    if (target.route.method !== 'GET') return
    const path = addressOf({ ...target, caller: undefined })
    await attack(world, async (send) => {
      const [head, get] = [await send('HEAD', path), await send('GET', path)]
      expect(head).toMatchObject({ status: get.status, text: '' })
      expect(head.headers['www-authenticate']).toBe(get.headers['www-authenticate'])
    })
  })

  test('A01/closed where the platform is closed nothing is public but the ways in', async () => {
    await sql`update setting set version = version + 1, chosen = '{"anonymous_access": false}'`.execute(context.db)
    await attack(world, async (send) => {
      for (const target of aTenthOf(CLOSED, 'A01/closed'))
        for (const state of ['T1', 'T2', 'T7'] as const) {
          const answer = await send(target.route.method, pathOf(target, { state }), {
            ...(target.row.body !== undefined && { body: bodyOf(target) }),
          })
          expect(answer, target.name).toMatchObject(unread)
        }
    })
    await sql`update setting set version = version + 1, chosen = '{}'`.execute(context.db)
  })
})

describe('a refused write', () => {
  test.each(aTenthOf(WRITES, 'Z21'))('Z21 leaves nothing behind: $name', async (target) => {
    const { route, row } = target
    await attack(world, async (send) => {
      for (const [principal, person] of someOf(principals(), target.name, 3)) {
        const mayTry = route.access === 'no_credentials' ? principal === 'P1' : !row.right(principal, 'T1')
        if (!mayTry) continue
        for (const state of ['T1', 'T2', 'T7'] as const) {
          await forget(context, target)
          const answer = await send(route.method, pathOf(target, { principal, state }), {
            ...(person && { as: person }),
            ...(row.body !== undefined && { body: row.body }),
          })
          expect(answer.status >= 400 || route.access === 'no_credentials').toBe(true)
        }
      }
    })
  })
})

describe('a right', () => {
  const ADMINISTERED = IN_PROJECTS.filter(
    ({ route, row }) =>
      (route.writes || route.access === 'signed_in') && row.right('P7', 'T1') && !row.right('P5', 'T1'),
  )

  test.each(aTenthOf(ADMINISTERED, 'Z22'))('Z22 in one project is none in another: $name', async (target) => {
    const ask = (as: Person, path: string) =>
      attack(world, (send) => send(target.route.method, path, { ...optionsOf(target), as }))
    // Victor administers Vault and Quarry, and may look at Orchard; Mara administers Orchard, and sees no Vault.
    expect(await ask(VICTOR, pathOf(target))).toMatchObject(refused(403, 'permission_denied'))
    const hidden = await ask(MARA, pathOf(target, { state: 'T2' }))
    expect(hidden).toMatchObject(refused(404, 'not_found'))
    expect(comparable(hidden)).toBe(comparable(await ask(MARA, pathOf(target, { state: 'T7' }))))
  })
})

describe('what nobody may see', () => {
  test.each(aTenthOf(READ_IN_PROJECTS, 'Z29'))('Z29 $name is neither unchanged nor changed to them', async (target) => {
    const query = target.row.query === undefined ? '' : `?${target.row.query}`
    const hidden = `${pathOf(target, { state: 'T2' })}${query}`
    const absent = `${pathOf(target, { state: 'T7' })}${query}`
    const tag = (await api.request(target.route.method, hidden, optionsOf({ ...target, caller: ADA }))).headers.etag
    await attack(world, async (send) => {
      for (const value of ['*', 'garbage', ...(tag === undefined ? [] : [tag])])
        for (const header of ['if-none-match', 'if-match', 'if-range']) {
          const options = { ...optionsOf({ ...target, caller: OLGA }), headers: { [header]: value } }
          const answer = await send(target.route.method, hidden, options)
          expect(answer.status, `${header}: ${value}`).toBe(404)
          expect(comparable(answer)).toBe(comparable(await send(target.route.method, absent, options)))
        }
    })
  })

  test('Z29/user is not told from nobody by a tag', async () => {
    for (const header of ['if-none-match', 'if-match'])
      for (const value of ['*', '"x"', (await api.get(`/users/${PIA.id}`, { as: ADA })).headers.etag ?? '']) {
        const options = { as: TOM, headers: { [header]: value } }
        const hidden = await api.get(`/users/${PIA.id}`, options)
        expect(hidden.status).toBe(404)
        expect(comparable(hidden)).toBe(comparable(await api.get('/users/999999', options)))
        expect((await api.patch(`/users/${PIA.id}`, { ...options, body: { real_name: 'X' } })).status).toBe(404)
      }
  })

  test.each(aTenthOf(BY_NUMBER, 'Z30'))(
    'Z30 $name: hidden and absent are alike, what is no id is told so',
    async (target) => {
      await attack(world, async (send) => {
        for (const [principal, as] of principals().filter(([name]) => ['P1', 'P2', 'P3'].includes(name))) {
          const ask = async (path: string) => {
            await forget(context, target)
            return send(target.route.method, `${path}?${target.row.query ?? ''}`, {
              ...(as && { as }),
              ...(target.row.body !== undefined && { body: bodyOf(target) }),
            })
          }
          const hidden = await ask(pathOf(target, { state: 'T2', principal }))
          const absent = await ask(pathOf(target, { state: 'T7', principal }))
          expect(target.row.subject.sees(principal, 'T2') || comparable(hidden) === comparable(absent)).toBe(true)
          const isRefusedEarlier = as === undefined && target.route.access === 'signed_in'
          expect(await ask(pathOf(target, { params: { id: 'x1' } }))).toMatchObject(
            isRefusedEarlier ? refused(401, 'authentication_required') : refused(400, 'id_malformed'),
          )
        }
      })
    },
  )
})

describe('a refusal', () => {
  /** What stands in a hidden project, and nowhere else. */
  const HIDDEN = [VICTOR.login, 'keepers', 'canary', String(KEEPERS), String(VAULT_SVN), GUS.login, 'Groupie']

  test('Z45 names nothing that its reader may not read, whatever it is about', { timeout: 60_000 }, async () => {
    const told = new Set<string>()
    const check = (answer: Response, sent: string) => {
      if (answer.status < 400 || answer.text === '') return
      const { error } = answer.json
      told.add(error.reason)
      const text = JSON.stringify([error.message, error.i18n_error_message, error.details ?? {}])
      for (const word of HIDDEN) expect(text.includes(word) && !sent.includes(word), text).toBe(false)
      for (const name of Object.keys(error.details ?? {})) expect(DETAILS).toContain(name)
    }
    for (const target of TARGETS)
      for (const [principal, as] of principals().filter(([name]) => ['P1', 'P2', 'P3', 'P5'].includes(name)))
        for (const body of [bodyOf(target), ...(target.route.body ? [{}, [], NAMES_VAULT] : [])]) {
          await forget(context, target)
          const path = pathOf(target, { principal, state: 'T2' })
          const answer = await api.request(target.route.method, `${path}?dry_run=true&limit=-1`, {
            ...(as && { as }),
            ...(target.route.body && { body }),
          })
          check(answer, JSON.stringify(body ?? ''))
        }
    const named = await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: [{ username: PIA.login }] })
    check(named, PIA.login)
    expect(named.status).toBe(400)
    expect(comparable(named).replace('pia', '…')).toBe(
      comparable(await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: [{ username: 'xyz' }] })).replace(
        'xyz',
        '…',
      ),
    )
    expect(told.size).toBeGreaterThan(8)
  })

  const NAMES_VAULT = { project_id: VAULT, template_id: VAULT, short_name: 'keepers' }
  /** The closed list of what a refusal may say of its cause. */
  const DETAILS = ['path', 'rule', 'allowed', 'who_may', 'cause', 'params', 'all', 'current_etag', 'id']
})

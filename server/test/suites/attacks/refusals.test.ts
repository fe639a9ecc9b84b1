import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Response } from '../../harness/client.ts'
import { startWorld } from '../../harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, PIA, TOM, VICTOR } from '../../fixtures/people.ts'
import { KEEPERS, LEADS, VAULT, VAULT_SVN } from '../../fixtures/seed-ids.ts'
import { refused } from '../../harness/refused.ts'
import { sampleTenth, sampleItems } from '../../harness/sampling.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { attack, attackOnce, comparable } from './attack.ts'
import {
  targetAddress,
  usualBody,
  clearSignInFailures,
  IN_PROJECTS,
  usualOptions,
  targetPath,
  principals,
  TARGETS,
} from './inputs.ts'

const world = await startWorld({ seedOnce: true }) // All writes here are refused, so one seed serves all.
const { api, context } = world
await seedTestArtifacts(context.db)
const unread = refused(401, 'authentication_required')
const CLOSED = TARGETS.filter(({ route }) => route.access !== 'no_credentials' && !route.staysOpen)
const WRITES = TARGETS.filter(({ route }) => route.writes)
const READ_IN_PROJECTS = IN_PROJECTS.filter(({ route }) => !route.writes)
const BY_NUMBER = TARGETS.filter(
  ({ route, row }) => route.path.includes(':id') && /^\d+$/.test(String(row.subject.params('T1', 'P3')['id'])),
)

describe('without credentials', () => {
  test.each(sampleTenth(TARGETS, 'A01'))(
    'A01 $name is public in the permission table, or responds 401',
    async (target) => {
      const { route, row } = target
      await clearSignInFailures(context, target)
      const answer = await attackOnce(world, route.method, targetAddress({ ...target, caller: undefined }), {
        ...(row.body !== undefined && { body: usualBody(target) }),
      })
      const { status, headers } = answer
      const isPublic = route.access === 'no_credentials' || (route.access === 'everyone' && row.right('P1', 'T1'))
      expect(isPublic ? unread : { status, json: answer.json }).toMatchObject(unread)
      expect(String(headers['www-authenticate']).includes('AccessKey realm="Waypost API"')).toBe(status === 401)
    },
  )

  test.each(sampleTenth(TARGETS, 'A01/head'))('A01/head $name reveals nothing by HEAD', async (target) => {
    if (target.route.method !== 'GET') return
    const path = targetAddress({ ...target, caller: undefined })
    await attack(world, async (send) => {
      const [head, get] = [await send('HEAD', path), await send('GET', path)]
      expect(head).toMatchObject({ status: get.status, text: '' })
      expect(head.headers['www-authenticate']).toBe(get.headers['www-authenticate'])
    })
  })

  test('A01/closed without anonymous access only sign-in and recovery are public', async () => {
    await sql`update setting set version = version + 1, chosen = '{"anonymous_access": false}'`.execute(context.db)
    await attack(world, async (send) => {
      for (const target of sampleTenth(CLOSED, 'A01/closed'))
        for (const state of ['T1', 'T2', 'T7'] as const) {
          const answer = await send(target.route.method, targetPath(target, { state }), {
            ...(target.row.body !== undefined && { body: usualBody(target) }),
          })
          expect(answer, target.name).toMatchObject(unread)
        }
    })
    await sql`update setting set version = version + 1, chosen = '{}'`.execute(context.db)
  })
})

describe('a refused write', () => {
  test.each(sampleTenth(WRITES, 'Z21'))('Z21 leaves nothing behind: $name', async (target) => {
    const { route, row } = target
    await attack(world, async (send) => {
      for (const [principal, person] of sampleItems(principals(), target.name, 3)) {
        const mayTry = route.access === 'no_credentials' ? principal === 'P1' : !row.right(principal, 'T1')
        if (!mayTry) continue
        for (const state of ['T1', 'T2', 'T7'] as const) {
          await clearSignInFailures(context, target)
          const answer = await send(route.method, targetPath(target, { principal, state }), {
            ...(person && { as: person }),
            ...(row.body !== undefined && { body: row.body }),
          })
          expect(answer.status >= 400 || route.access === 'no_credentials').toBe(true)
        }
      }
    })
  })
})

describe('a permission', () => {
  const ADMINISTERED = IN_PROJECTS.filter(
    ({ route, row }) =>
      (route.writes || route.access === 'signed_in') && row.right('P7', 'T1') && !row.right('P5', 'T1'),
  )

  test.each(sampleTenth(ADMINISTERED, 'Z22'))('Z22 in one project does not apply in another: $name', async (target) => {
    const ask = (as: TestPerson, path: string) =>
      attack(world, (send) => send(target.route.method, path, { ...usualOptions(target), as }))
    // Victor administers Vault and Quarry, and may read Orchard; Mara administers Orchard, and cannot see Vault.
    expect(await ask(VICTOR, targetPath(target))).toMatchObject(refused(403, 'permission_denied'))
    const hidden = await ask(MARA, targetPath(target, { state: 'T2' }))
    expect(hidden).toMatchObject(refused(404, 'not_found'))
    expect(comparable(hidden)).toBe(comparable(await ask(MARA, targetPath(target, { state: 'T7' }))))
  })
})

describe('a hidden object', () => {
  test.each(sampleTenth(READ_IN_PROJECTS, 'Z29'))(
    'Z29 $name is neither modified nor unmodified in conditional requests',
    async (target) => {
      const query = target.row.query === undefined ? '' : `?${target.row.query}`
      const hidden = `${targetPath(target, { state: 'T2' })}${query}`
      const absent = `${targetPath(target, { state: 'T7' })}${query}`
      const tag = (await api.request(target.route.method, hidden, usualOptions({ ...target, caller: ADA }))).headers
        .etag
      await attack(world, async (send) => {
        for (const value of ['*', 'garbage', ...(tag === undefined ? [] : [tag])])
          for (const header of ['if-none-match', 'if-match', 'if-range']) {
            const options = { ...usualOptions({ ...target, caller: OLGA }), headers: { [header]: value } }
            const answer = await send(target.route.method, hidden, options)
            expect(answer.status, `${header}: ${value}`).toBe(404)
            expect(comparable(answer)).toBe(comparable(await send(target.route.method, absent, options)))
          }
      })
    },
  )

  test('Z29/user is not distinguishable from an absent one by an ETag', async () => {
    for (const header of ['if-none-match', 'if-match'])
      for (const value of ['*', '"x"', (await api.get(`/users/${PIA.id}`, { as: ADA })).headers.etag ?? '']) {
        const options = { as: TOM, headers: { [header]: value } }
        const hidden = await api.get(`/users/${PIA.id}`, options)
        expect(hidden.status).toBe(404)
        expect(comparable(hidden)).toBe(comparable(await api.get('/users/999999', options)))
        expect((await api.patch(`/users/${PIA.id}`, { ...options, body: { real_name: 'X' } })).status).toBe(404)
      }
  })

  test.each(sampleTenth(BY_NUMBER, 'Z30'))(
    'Z30 $name: hidden and absent are alike, a malformed id is reported',
    async (target) => {
      await attack(world, async (send) => {
        for (const [principal, as] of principals().filter(([name]) => ['P1', 'P2', 'P3'].includes(name))) {
          const ask = async (path: string) => {
            await clearSignInFailures(context, target)
            return send(target.route.method, `${path}?${target.row.query ?? ''}`, {
              ...(as && { as }),
              ...(target.row.body !== undefined && { body: usualBody(target) }),
            })
          }
          const hidden = await ask(targetPath(target, { state: 'T2', principal }))
          const absent = await ask(targetPath(target, { state: 'T7', principal }))
          expect(target.row.subject.sees(principal, 'T2') || comparable(hidden) === comparable(absent)).toBe(true)
          const isRefusedEarlier = as === undefined && target.route.access === 'signed_in'
          expect(await ask(targetPath(target, { params: { id: 'x1' } }))).toMatchObject(
            isRefusedEarlier ? refused(401, 'authentication_required') : refused(400, 'id_malformed'),
          )
        }
      })
    },
  )
})

describe('an error', () => {
  /** Texts that exist only in a hidden project. */
  const HIDDEN = [VICTOR.login, 'keepers', 'canary', String(KEEPERS), String(VAULT_SVN), GUS.login, 'Groupie']

  const wrongQuery = ({ writes, pages }: (typeof TARGETS)[number]['route']) =>
    [...(writes ? ['dry_run=true'] : []), ...(pages ? ['limit=-1'] : [])].join('&')

  test('Z45 names nothing that its reader may not read', async () => {
    const reasons = new Set<string>()
    const check = (answer: Response, sent: string) => {
      if (answer.status < 400 || answer.text === '') return
      const { error } = answer.json
      reasons.add(error.reason)
      const text = JSON.stringify([error.message, error.i18n_error_message, error.details ?? {}])
      for (const word of HIDDEN) expect(text.includes(word) && !sent.includes(word), text).toBe(false)
      for (const name of Object.keys(error.details ?? {})) expect(DETAILS).toContain(name)
    }
    for (const target of TARGETS)
      for (const [principal, as] of principals().filter(([name]) => ['P1', 'P2', 'P3', 'P5'].includes(name)))
        for (const body of [usualBody(target), ...(target.route.body ? [{}, [], NAMES_VAULT] : [])]) {
          await clearSignInFailures(context, target)
          const path = targetPath(target, { principal, state: 'T2' })
          const answer = await api.request(target.route.method, `${path}?${wrongQuery(target.route)}`, {
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
    expect(reasons.size).toBeGreaterThan(8)
  })

  const NAMES_VAULT = { project_id: VAULT, template_id: VAULT, short_name: 'keepers' }
  /** The closed list of members of error details. */
  const DETAILS = [
    'path',
    'rule',
    'allowed',
    'nearest',
    'column',
    'who_may',
    'cause',
    'params',
    'all',
    'current_etag',
    'id',
  ]
})

import { describe, expect, test } from 'vitest'
import { startWorld } from '../../harness/start-world.ts'
import { ADA } from '../../fixtures/people.ts'
import { refused } from '../../harness/refused.ts'
import { sampleTenth, sampleItems } from '../../harness/sampling.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { attack, attackOnce, type AttackSend, effectiveStatus } from './attack.ts'
import {
  targetAddress,
  BODY_PLACES,
  usualBody,
  byRoute,
  clearSignInFailures,
  usualOptions,
  queryWithout,
  targetPath,
  type InputPlace,
  withValueAt,
  QUERY_PLACES,
  TARGETS,
  takesText,
  withText,
} from './inputs.ts'
import { exchangeRaw } from './raw-socket.ts'

// Every write here is a dry run or refused, so one seed serves all.
const world = await startWorld({ seedOnce: true })
const { api, context } = world
await seedTestArtifacts(context.db)
const prototype = describePrototype()

const STRING = 'text that stands nowhere 5c1e'
const WITH_BODY = TARGETS.filter(({ route }) => route.body !== undefined)
const TEXTS = byRoute(BODY_PLACES.filter(takesText))
const PARAMETERS = byRoute(QUERY_PLACES)
const WITH_PARAMETER = TARGETS.filter(({ route }) => route.path.includes(':'))
const WITH_ID = TARGETS.filter(({ route }) => route.path.includes(':id'))

describe('an id', () => {
  const spellings = [
    '-1',
    '0',
    String(2 ** 31),
    String(2 ** 53),
    '9007199254740993',
    String(2n ** 63n),
    String(2n ** 64n + 2001n),
    '1e308',
    '1.0',
    '2.001e3',
    '2001.0',
    '0x7d1',
    '%202001',
    '2001%20',
    '+2001',
    '2001%0a',
    '2001%00',
    '2001abc',
    '%D9%A2%D9%A0%D9%A0%D9%A1',
    '%EF%BC%92%EF%BC%90%EF%BC%90%EF%BC%91',
    'NaN',
    'Infinity',
    'null',
    'true',
    '{}',
    '[]',
  ]

  test.each(sampleTenth(WITH_ID, 'I04'))(
    'I04 of $name that is malformed names nothing, and no other object',
    async (target) => {
      await attack(world, async (send) => {
        for (const id of sampleItems(spellings, target.name, 2)) {
          await clearSignInFailures(context, target)
          const path = `${targetPath(target, { params: { id } })}?${target.row.query ?? ''}`
          const answer = await send(target.route.method, path, usualOptions(target))
          expect([400, 401, 403, 404], `${path}: ${answer.text}`).toContain(answer.status)
        }
      })
    },
  )
})

describe('a body', () => {
  test.each(sampleTenth(WITH_BODY, 'I05'))('I05 of $name with duplicate members is refused', async (target) => {
    const { caller } = target
    const usual = JSON.stringify(usualBody(target) ?? {})
    const twice = [
      usual.replace('{', '{"a":1,"a":1,'),
      usual.replace('{', '{"a":{"b":[{"c":1,"\\u0063":2}]},'),
      usual.replace('{', `${usual.slice(0, -1)},`),
    ]
    await attack(world, async (send) => {
      for (const body of twice) {
        const answer = await send(target.route.method, targetAddress(target), { ...usualOptions(target), body })
        expect(answer, `${caller?.login} ${body}`).toMatchObject(refused(400, 'body_malformed'))
      }
    })
  })

  test.each(sampleTenth(TEXTS, 'I06'))(
    'I06 of $name accepts neither U+0000 nor lone surrogates',
    async ({ target, places }) => {
      await attack(world, async (send) => {
        for (const place of places)
          for (const text of sampleItems(['a\0b', 'a\ud800b', '\udc00'], place.name, 1)) {
            const answer = await send(target.route.method, targetAddress(target), withText(place, text))
            expect(effectiveStatus(answer), `${place.name} ${JSON.stringify(text)}: ${answer.text}`).toBe(400)
          }
      })
    },
  )

  test('I06/bytes must be valid UTF-8', async () => {
    for (const bytes of ['\xff', '\xc0\x80', '\xed\xa0\x80', '\xc3', '\xf5\x80\x80\x80'])
      for (const type of ['json', 'xml', 'x-www-form-urlencoded']) {
        const text = { json: `{"login":"${bytes}"}`, xml: `<request><login>${bytes}</login></request>` }
        const body = Buffer.from(type === 'json' || type === 'xml' ? text[type] : `login=${bytes}`, 'latin1')
        const head = `POST /api/password_resets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/${type}\r\nContent-Length: ${body.length}\r\n\r\n`
        const { answers } = await exchangeRaw(api.origin, Buffer.concat([Buffer.from(head), body]))
        expect(answers.map(({ status }) => status)).toEqual([400])
      }
  })

  test.each(sampleTenth(WITH_BODY, 'I08'))('I08 of $name cannot pollute prototypes', async (target) => {
    const polluted = { polluted: true, isAdmin: true, is_site_admin: true }
    const nested = `{"__proto__":${JSON.stringify(polluted)},"constructor":{"prototype":${JSON.stringify(polluted)}},`
    const usual = JSON.stringify(usualBody(target) ?? {})
    const path = targetAddress(target, '__proto__=x&__proto__[polluted]=1&constructor[prototype][polluted]=1')
    const xml = '<request><__proto__><polluted>1</polluted></__proto__><entry key="__proto__">1</entry></request>'
    await attack(world, async (send) => {
      for (const body of [nested + usual.slice(1), usual.replaceAll('{', nested)]) {
        await clearSignInFailures(context, target)
        const headers = { ['__proto__']: 'x', constructor: 'x', 'x-proto': '__proto__' }
        const answer = await send(target.route.method, path, { ...usualOptions(target), body, headers })
        expect(answer.status).toBeLessThan(500)
        expect(describePrototype()).toEqual(prototype)
      }
      await clearSignInFailures(context, target)
      const headers = { 'content-type': 'application/xml' }
      await send(target.route.method, path, { ...usualOptions(target), body: xml, headers })
      expect(describePrototype()).toEqual(prototype)
    })
  })

  test.each(sampleTenth(byRoute(BODY_PLACES), 'I09'))(
    'I09 of $name accepts only its own types',
    async ({ target, places }) => {
      await attack(world, async (send) => {
        for (const place of places.filter(({ name }) => !UNREAD.includes(name)))
          for (const value of sampleItems(wrongTypes(place), place.name, 1)) {
            const body = withValueAt(usualBody(target), place.path, value)
            const answer = await send(target.route.method, targetAddress(target), usualOptions(target, body))
            expect(effectiveStatus(answer), `${place.name} ${JSON.stringify(value)}: ${answer.text}`).toBe(400)
          }
      })
    },
  )
})

describe('a parameter', () => {
  test.each(sampleTenth(PARAMETERS, 'I06'))(
    'I06 of $name accepts neither U+0000 nor invalid UTF-8',
    async ({ target, places }) => {
      await attack(world, async (send) => {
        for (const [name = ''] of places.map(({ path }) => path))
          for (const text of sampleItems(['a%00b', '%ff', '%C0%80', '%ED%A0%80', '%zz'], `${target.name} ${name}`, 1)) {
            const path = `${targetPath(target)}?${queryWithout(target, name)}${name}=${text}`
            const answer = await send(target.route.method, path, usualOptions(target))
            expect(answer.status, `${path}: ${answer.text}`).toBe(400)
          }
      })
    },
  )

  test.each(sampleTenth(WITH_PARAMETER, 'address'))(
    'I06/path of $name accepts neither U+0000 nor invalid UTF-8',
    async (target) => {
      const names = target.route.path.match(/(?<=:)\w+/g) ?? []
      await attack(world, async (send) => {
        for (const text of ['%00', 'a%00b', '%ff', '%C0%80', '%ED%A0%80', '%zz']) {
          await clearSignInFailures(context, target)
          const params = Object.fromEntries(names.map((name) => [name, text]))
          const path = `${targetPath(target, { params })}?${target.row.query ?? ''}`
          const answer = await send(target.route.method, path, usualOptions(target))
          expect([400, 403, 404], `${path}: ${answer.text}`).toContain(answer.status)
        }
      })
    },
  )

  test.each(sampleTenth(PARAMETERS, 'I10'))('I10 of $name must not be repeated', async ({ target, places }) => {
    await attack(world, async (send) => {
      for (const [name = ''] of places.filter(({ shape }) => shape.kind !== 'array').map(({ path }) => path))
        for (const query of [`${name}=1&${name}=2`, `${name}=1&${name}=1`, `${name}[]=1`, `${name}%5B%5D=1&${name}=1`])
          expect(
            await send(
              target.route.method,
              `${targetPath(target)}?${queryWithout(target, name)}${query}`,
              usualOptions(target),
            ),
          ).toMatchObject(refused(400, 'parameter_conflict', { path: name }))
    })
  })
})

describe('SQL', () => {
  const battery = [
    "' or '1'='1",
    "'; select pg_sleep(3); --",
    "' union select login, password_hash from account --",
    "\\' or 1=1 --",
    '$1 $2',
    "%' or 1=1 /*",
    "'||(select pg_sleep(3))||'",
    'account; drop table label',
  ]
  /** Fewer payloads where each response costs a password hash. */
  const batteryFor = (place: string) => sampleItems(battery, place, 1)

  test.each(sampleTenth(TEXTS, 'I11'))('I11 in a body of $name is text', async ({ target, places }) => {
    const ask = async (send: AttackSend, place: InputPlace, text: string) => {
      await clearSignInFailures(context, target)
      return send(target.route.method, targetAddress(target), withText(place, text))
    }
    await attack(world, async (send) => {
      for (const place of places) {
        const literal = await ask(send, place, STRING)
        for (const payload of batteryFor(place.name)) {
          const answer = await ask(send, place, payload)
          // If the literal text is accepted, the payload may still break a naming rule, but has no other effect.
          expect(answer.status < 400 && literal.status >= 400, `${place.name} ${payload}: ${answer.text}`).toBe(false)
        }
      }
    })
  })

  test.each(sampleTenth(PARAMETERS, 'I11'))('I11 in a parameter of $name is text', async ({ target, places }) => {
    const asKey = (text: string) => JSON.stringify({ [text]: 1 })
    await attack(world, async (send) => {
      for (const [name = ''] of places.map(({ path }) => path)) {
        const ask = (text: string) =>
          send(
            target.route.method,
            `${targetPath(target)}?${queryWithout(target, name)}${name}=${encodeURIComponent(text)}`,
            usualOptions(target),
          )
        for (const dress of name === 'query' ? [String, asKey] : [String]) {
          const literal = await ask(dress(STRING))
          for (const payload of sampleItems(battery, `${target.name} ${name}`, 1)) {
            const answer = await ask(dress(payload))
            expect(answer.status, `${name} ${payload}: ${answer.text}`).toBe(literal.status)
            const isTaken = answer.status === 200
            expect(isTaken && echoed(answer.text, dress(payload))).toBe(isTaken && echoed(literal.text, dress(STRING)))
          }
        }
      }
    })
  })

  test.each(sampleTenth(WITH_PARAMETER, 'address'))('I11 in the path of $name is text', async (target) => {
    const names = target.route.path.match(/(?<=:)\w+/g) ?? []
    await attack(world, async (send) => {
      for (const payload of sampleItems(battery, target.name, 1)) {
        await clearSignInFailures(context, target)
        const params = Object.fromEntries(names.map((name) => [name, encodeURIComponent(payload)]))
        const path = `${targetPath(target, { params })}?${target.row.query ?? ''}`
        expect([400, 403, 404]).toContain((await send(target.route.method, path, usualOptions(target))).status)
      }
    })
  })

  test.each(['identifier', 'login', 'username', 'email', 'shortname', 'is_member_of', 'status'])(
    'I11 as the value of %s in a JSON query is text',
    async (key) => {
      for (const path of ['/users', '/projects'])
        for (const payload of battery) {
          const query = encodeURIComponent(JSON.stringify({ [key]: payload }))
          const answer = await attackOnce(world, 'GET', `${path}?query=${query}`, { as: ADA })
          expect(answer.status === 200 ? (answer.json.collection ?? answer.json) : []).toEqual([])
        }
    },
  )
})

/** A response may echo the input; everything else is compared. */
function echoed(text: string, given: string): string {
  return text.replaceAll(JSON.stringify(given), '…')
}

/** JSON values of all types that this place does not accept. */
/** Only parsed if another member selects its type. */
const UNREAD = ['setTransitionActions post_actions.0.value']

function wrongTypes({ shape }: InputPlace): unknown[] {
  const kinds = shape.kind === 'union' ? shape.variants.map(({ kind }) => kind) : [shape.kind]
  if (kinds.includes('boolean')) return ['false', '1', 1, 0, [true], {}]
  if (kinds.includes('integer') || kinds.includes('number')) return [[1], {}, true, 'x', 1.5, '']
  if (kinds.includes('free')) return []
  if (kinds.includes('array')) return [1, true, { $ne: 'x' }]
  return [1, true, ['x'], [], { $ne: 'x' }]
}

/** The state of `Object.prototype`. */
function describePrototype(): unknown {
  return [Object.prototype, Array.prototype, Function.prototype].map((each) =>
    Object.getOwnPropertyNames(each).toSorted(),
  )
}

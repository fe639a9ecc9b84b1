import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { COMPILE_CACHE } from '../harness/compile-cache.ts'

export interface IdentityPeer {
  readonly issuer: string
  /** Replaces clients, people and keys. */
  configure(clients: readonly object[], people: Record<string, object>): Promise<void>
  people(people: Record<string, object>): Promise<void>
  /** New keys, under a new id or this one. */
  rotate(kid?: string): Promise<void>
  /** Spoils the ID tokens from now on: see the process. */
  spoil(how?: string): Promise<void>
  down(is: boolean): Promise<void>
  /** Sends a logout token to the client. */
  logout(subject: string, sid?: string): Promise<void>
  /** A token with these claims, signed by the provider, or by a stranger under the same id of the key. */
  sign(claims: object, typ?: string): Promise<string>
  /** The requests so far. */
  answered(): Promise<number>
}

const PROCESS = fileURLToPath(new URL('identity-peer-process.ts', import.meta.url))

/** A real provider of OpenID Connect in another process. */
export async function startIdentityPeer(): Promise<IdentityPeer> {
  const child = fork(PROCESS, {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ origin }] = await once(child, 'message')
  afterAll(() => {
    child.kill()
  })
  // One order at a time: the answers have no numbers.
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (order: object) => {
    const answer = once(child, 'message')
    child.send(order)
    const [{ result, failed }] = await answer
    if (failed !== undefined) throw new Error(failed)
    return result
  }
  const inTurn = (order: object) => {
    const next = last.then(() => ask(order))
    last = next.catch(() => {})
    return next
  }
  const tell = async (order: object) => {
    await inTurn(order)
  }
  return {
    issuer: origin,
    configure: (clients, people) => tell({ do: 'configure', clients, people }),
    people: (people) => tell({ do: 'people', people }),
    rotate: (kid) => tell({ do: 'rotate', kid }),
    spoil: (how) => tell({ do: 'spoil', how }),
    down: (is) => tell({ do: 'down', is }),
    logout: (subject, sid) => tell({ do: 'logout', subject, sid }),
    sign: async (claims, typ) => String(await inTurn({ do: 'sign', claims, typ })),
    answered: async () => Number(await inTurn({ do: 'answered' })),
  }
}

/** The client of the platform, as it is registered at the peer. */
export function peerClient(more: object = {}): object {
  return {
    client_id: 'waypost',
    client_secret: 'the secret of the client',
    redirect_uris: ['https://waypost.example/sign-in/oidc/company/callback'],
    post_logout_redirect_uris: ['https://waypost.example/sign-in'],
    backchannel_logout_session_required: true,
    ...more,
  }
}

import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { nameOwner } from '../database/connection-owner.ts'
import { clientNetwork } from '../operation/networks.ts'
import { getCredential } from './concurrency-limit.ts'
import type { Viewer } from './viewer.ts'

const MAX_CREDENTIALS = 10_000

/**
 * The client to whom connection use is charged: the account, or the address without one. A credential that was valid
 * before is charged to its account from the start, so that people do not wait for others of their address. The guess
 * affects the queue only and grants nothing; an invalid credential counts for its address.
 */
export interface OwnerCache {
  guess(request: FastifyRequest): string
  learn(request: FastifyRequest, viewer: Viewer): void
}

export function createOwnerCache(): OwnerCache {
  const accounts = new LRUCache<string, string>({ max: MAX_CREDENTIALS })
  return {
    guess({ headers, ip }) {
      const credential = getCredential(headers)
      return (credential === undefined ? undefined : accounts.get(digest(credential))) ?? clientNetwork(ip)
    },
    learn({ headers }, { account_id }) {
      if (account_id === undefined) return
      const owner = `account ${account_id}`
      nameOwner(owner)
      const credential = getCredential(headers)
      if (credential !== undefined) accounts.set(digest(credential), owner)
    },
  }
}

function digest(credential: string): string {
  return hash('sha256', credential, 'base64')
}

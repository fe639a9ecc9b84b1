import { queryOptions } from '@tanstack/react-query'
import type { SignInOptions } from '@waypost/sdk/api'
import { api, read } from '../api.ts'

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign_in_options'],
  queryFn: () => read(api.call('GET /sign_in_options')),
})

type SignInProvider = SignInOptions['providers'][number]

const LAST_PROVIDER_KEY = 'waypost.sign-in'

/** The name of the provider that this device used last; it stays when people sign out. */
export function loadLastProvider(): string | null {
  return localStorage.getItem(LAST_PROVIDER_KEY)
}

export function storeLastProvider(name: string | null): void {
  if (name === null) localStorage.removeItem(LAST_PROVIDER_KEY)
  else localStorage.setItem(LAST_PROVIDER_KEY, name)
}

/** The last one first; the others stay in their order. */
export function sortProviders(providers: readonly SignInProvider[], last: string | null): SignInProvider[] {
  return providers.toSorted((one, other) => Number(other.name === last) - Number(one.name === last))
}

/** The page that leads to the provider, and from there back to a path. */
export function providerHref({ address }: SignInProvider, returnTo: string, confirms = false): string {
  return `${address}?${new URLSearchParams({ return_to: returnTo, ...(confirms && { confirm: '1' }) })}`
}

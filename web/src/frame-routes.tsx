import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { sessionQuery } from './accounts/session.ts'
import { readPeekSearch } from './peek/peek-search.ts'
import { queryClient } from './query-client.ts'
import { NotFound, UnexpectedError } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: UnexpectedError })

export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  validateSearch: readPeekSearch,
  component: Shell,
})

/** Screens that need a session: visitors sign in first and then return. */
export const own = createRoute({
  getParentRoute: () => shell,
  id: 'own',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    const search = location.href === '/' ? {} : { next: location.href }
    if (session === null) throw redirect({ to: '/sign-in', search })
  },
  component: Outlet,
})

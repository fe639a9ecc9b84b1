import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { shell } from './frame-routes.tsx'
import { isHelpTopic } from './help/help-topic.ts'
import { readSearchAddress } from './search-page/search-address.ts'

const search = createRoute({
  getParentRoute: () => shell,
  path: '/search',
  validateSearch: readSearchAddress,
  component: lazyRouteComponent(() => import('./search-page/search-page.tsx'), 'SearchPage'),
})
const help = createRoute({
  getParentRoute: () => shell,
  path: '/help',
  beforeLoad: () => {
    throw redirect({ to: '/help/$topic', params: { topic: 'search' } })
  },
})
const helpTopic = createRoute({
  getParentRoute: () => shell,
  path: '/help/$topic',
  beforeLoad: ({ params }) => {
    if (!isHelpTopic(params.topic)) throw redirect({ to: '/help/$topic', params: { topic: 'search' } })
  },
  component: lazyRouteComponent(() => import('./help/help-page.tsx'), 'HelpPage'),
})

/** Search and help, which visitors may open too. */
export const FINDING_ROUTES = [search, help, helpTopic] as const

import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { own, root } from './frame-routes.tsx'

const preferencePages = () => import('./accounts/preference-pages.ts')
const mailedLinkPages = () => import('./accounts/mailed-link-pages.ts')

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next, refused }): { next?: string; refused?: string } => ({
    ...(typeof next === 'string' && { next }),
    ...(typeof refused === 'string' && { refused }),
  }),
  component: lazyRouteComponent(() => import('./accounts/sign-in-page.tsx'), 'SignInPage'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/account/reset',
  component: lazyRouteComponent(mailedLinkPages, 'ResetPasswordPage'),
})
const register = createRoute({
  getParentRoute: () => root,
  path: '/account/register',
  component: lazyRouteComponent(mailedLinkPages, 'RegisterPage'),
})
const email = createRoute({
  getParentRoute: () => root,
  path: '/account/email',
  component: lazyRouteComponent(mailedLinkPages, 'ConfirmEmailPage'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/account/invitation',
  component: lazyRouteComponent(mailedLinkPages, 'InvitationPage'),
})

/** The screens of visitors who are not signed in. */
export const VISITOR_ROUTES = [signIn, reset, register, email, invitation] as const

const account = createRoute({
  getParentRoute: () => own,
  path: '/account',
  component: lazyRouteComponent(() => import('./accounts/preferences.tsx'), 'Preferences'),
})
const accountStart = createRoute({
  getParentRoute: () => account,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/account/profile' })
  },
})
const profile = createRoute({
  getParentRoute: () => account,
  path: '/profile',
  component: lazyRouteComponent(preferencePages, 'ProfilePage'),
})
const keys = createRoute({
  getParentRoute: () => account,
  path: '/keys-tokens',
  component: lazyRouteComponent(() => import('./accounts/access-keys-page.tsx'), 'AccessKeysPage'),
})
const security = createRoute({
  getParentRoute: () => account,
  path: '/security',
  component: lazyRouteComponent(preferencePages, 'SecurityPage'),
})
const notifications = createRoute({
  getParentRoute: () => account,
  path: '/notifications',
  component: lazyRouteComponent(preferencePages, 'NotificationSettingsPage'),
})
const appearance = createRoute({
  getParentRoute: () => account,
  path: '/appearance',
  component: lazyRouteComponent(preferencePages, 'AppearancePage'),
})

/** The preferences of the signed-in account. */
export const ACCOUNT_ROUTES = account.addChildren([accountStart, profile, keys, security, notifications, appearance])

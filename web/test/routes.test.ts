import { expect, test } from 'vitest'
import { HELP_TOPICS } from '../src/help/help-topic.ts'
import type { TestDataIds } from './screen.ts'
import { SCREENS } from './screens.ts'

interface Routes {
  readonly routesById: Readonly<Record<string, { readonly id: string }>>
  getMatchedRoutes(pathname: string): readonly [unknown, unknown, { readonly id: string } | undefined]
}

// The pages are checked with the types of a browser, tests with those of Node.
const source: string = '../src/router.tsx'
const { router }: { router: Routes } = await import(source)

/** Routes that lead to another one, or are only the frame of those below. */
const WITHOUT_SCREEN = [
  '__root__',
  '/shell',
  '/shell/help',
  '/shell/own',
  '/shell/own/account',
  '/shell/own/account/',
  '/shell/own/administration',
  '/shell/own/projects/$shortname/settings',
  '/shell/own/projects/$shortname/repositories/$name',
  '/shell/own/trackers/$tracker/administration',
  '/shell/own/trackers/$tracker/administration/',
]

/** Any ids do: only the form of an address counts. */
const tracker = { id: 1, field: () => 1, value: () => 1 }
const MADE: TestDataIds = {
  harvest: 1,
  deliveries: { id: 1, tracker },
  crates: { tracker, ids: new Map() },
  timeline: { tracker, ids: new Map() },
}

const paths = SCREENS.map(({ path }) => new URL(typeof path === 'string' ? path : path(MADE), 'http://site').pathname)
const shown = paths.map((path) => router.getMatchedRoutes(path)[2]?.id)
const routes = Object.values(router.routesById).map(({ id }) => id)

test('every route is shown by a screen that axe checks, and every exception exists', () => {
  expect(routes.length).toBeGreaterThan(70)
  expect(routes.filter((id) => !shown.includes(id) && !WITHOUT_SCREEN.includes(id))).toEqual([])
  expect(WITHOUT_SCREEN.filter((id) => !routes.includes(id))).toEqual([])
})

test('every help page is such a screen', () => {
  expect(HELP_TOPICS.filter((topic) => !paths.includes(`/help/${topic}`))).toEqual([])
})

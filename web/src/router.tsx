import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { readAcrossSearch } from './across/across-search.ts'
import { readBoardSearch } from './board/board-search.ts'
import { readChartsSearch } from './charts/charts-search.ts'
import {
  ARCHIVE_STATE_FILTERS,
  JOB_STATE_FILTERS,
  parseOneOf,
  PROJECT_STATUSES,
  parseAuditSearch,
  TRASH_TYPE_FILTERS,
} from './administration/search-parameters.ts'
import { readNewArtifactSearch } from './artifacts/new-artifact-search.ts'
import { readArtifactSearch } from './artifacts/past/artifact-search.ts'
import { readInboxSearch } from './notifications/inbox-search.ts'
import { readWorkSearch } from './my-work/work-search.ts'
import { readNewTrackerSearch } from './new-tracker/ways.ts'
import { ACCOUNT_ROUTES, VISITOR_ROUTES } from './account-routes.ts'
import { own, root, shell } from './frame-routes.tsx'
import { FINDING_ROUTES } from './finding-routes.ts'
import { PROJECT_ROUTES } from './project-routes.ts'
import { readLogSearch, readRevisionSearch, readSearchWord } from './repositories/repository-search.ts'
import { ScreenError } from './shell/not-found.tsx'
import { readTableSearch } from './trackers/table-search.ts'

const furtherTrackerPages = () => import('./tracker-administration/further-pages.ts')
const dashboardPages = () => import('./dashboards/dashboard-pages.tsx')
const administrationPages = () => import('./administration/administration-pages.ts')

const home = createRoute({
  getParentRoute: () => own,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
})
const inbox = createRoute({
  getParentRoute: () => own,
  path: '/inbox',
  validateSearch: readInboxSearch,
  component: lazyRouteComponent(() => import('./notifications/inbox-page.tsx'), 'InboxPage'),
})
const work = createRoute({
  getParentRoute: () => own,
  path: '/my-work',
  validateSearch: readWorkSearch,
  component: lazyRouteComponent(() => import('./my-work/my-work-page.tsx'), 'MyWorkPage'),
})
const report = createRoute({
  getParentRoute: () => own,
  path: '/report',
  validateSearch: readAcrossSearch,
  component: lazyRouteComponent(() => import('./across/across-page.tsx'), 'AcrossPage'),
})
const projects = createRoute({
  getParentRoute: () => shell,
  path: '/projects',
  component: lazyRouteComponent(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
})
const project = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$shortname',
  component: lazyRouteComponent(() => import('./projects/project-page.tsx'), 'ProjectPage'),
})
const projectDashboard = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$shortname/dashboard',
  component: lazyRouteComponent(dashboardPages, 'ProjectDashboardPage'),
})
const ownDashboard = createRoute({
  getParentRoute: () => own,
  path: '/dashboard',
  component: lazyRouteComponent(dashboardPages, 'OwnDashboardPage'),
})
const newTracker = createRoute({
  getParentRoute: () => own,
  path: '/projects/$shortname/trackers/new',
  validateSearch: readNewTrackerSearch,
  component: lazyRouteComponent(() => import('./new-tracker/new-tracker-page.tsx'), 'NewTrackerPage'),
})
const tracker = createRoute({
  getParentRoute: () => shell,
  path: '/trackers/$id',
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import('./trackers/tracker-page.tsx'), 'TrackerPage'),
})

const board = createRoute({
  getParentRoute: () => shell,
  path: '/trackers/$id/board',
  validateSearch: readBoardSearch,
  component: lazyRouteComponent(() => import('./board/board-page.tsx'), 'BoardPage'),
})

const charts = createRoute({
  getParentRoute: () => shell,
  path: '/trackers/$id/charts',
  validateSearch: readChartsSearch,
  component: lazyRouteComponent(() => import('./charts/charts-page.tsx'), 'ChartsPage'),
})

const artifact = createRoute({
  getParentRoute: () => shell,
  path: '/artifacts/$artifact',
  validateSearch: readArtifactSearch,
  component: lazyRouteComponent(() => import('./artifacts/artifact-page.tsx'), 'ArtifactPage'),
})

const newArtifact = createRoute({
  getParentRoute: () => own,
  path: '/trackers/$tracker/new',
  validateSearch: readNewArtifactSearch,
  component: lazyRouteComponent(() => import('./artifacts/new-artifact-page.tsx'), 'NewArtifactPage'),
})

const trackerAdministration = createRoute({
  getParentRoute: () => own,
  path: '/trackers/$tracker/administration',
  component: lazyRouteComponent(() => import('./tracker-administration/administration.tsx'), 'TrackerAdministration'),
})
const trackerAdministrationStart = createRoute({
  getParentRoute: () => trackerAdministration,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/trackers/$tracker/administration/elements', params })
  },
})
const general = createRoute({
  getParentRoute: () => trackerAdministration,
  path: '/general',
  component: lazyRouteComponent(() => import('./tracker-administration/general-page.tsx'), 'GeneralPage'),
})
const elements = createRoute({
  getParentRoute: () => trackerAdministration,
  path: '/elements',
  component: lazyRouteComponent(() => import('./tracker-administration/elements-page.tsx'), 'ElementsPage'),
})
const permissions = createRoute({
  getParentRoute: () => trackerAdministration,
  path: '/permissions',
  component: lazyRouteComponent(() => import('./tracker-administration/permissions-page.tsx'), 'PermissionsPage'),
})
const workflow = createRoute({
  getParentRoute: () => trackerAdministration,
  path: '/workflow',
  component: lazyRouteComponent(() => import('./tracker-administration/workflow-page.tsx'), 'WorkflowPage'),
})
const rules = createRoute({
  getParentRoute: () => trackerAdministration,
  path: '/rules',
  component: lazyRouteComponent(() => import('./tracker-administration/rules-page.tsx'), 'RulesPage'),
})
const semantics = createRoute({
  getParentRoute: () => trackerAdministration,
  path: '/semantics',
  component: lazyRouteComponent(() => import('./tracker-administration/semantics-page.tsx'), 'SemanticsPage'),
})
const webhooks = createRoute({
  getParentRoute: () => trackerAdministration,
  path: '/webhooks',
  component: lazyRouteComponent(furtherTrackerPages, 'WebhooksPage'),
})
const trackerTrash = createRoute({
  getParentRoute: () => trackerAdministration,
  path: '/trash',
  component: lazyRouteComponent(furtherTrackerPages, 'TrackerTrashPage'),
})

const REPOSITORY = '/projects/$shortname/repositories/$name'
const repository = createRoute({
  getParentRoute: () => own,
  path: REPOSITORY,
  component: lazyRouteComponent(() => import('./repositories/repository-frame.tsx'), 'RepositoryFrame'),
})
const treePage = lazyRouteComponent(() => import('./repositories/tree-page.tsx'), 'TreePage')
const repositoryRoot = createRoute({
  getParentRoute: () => repository,
  path: '/',
  validateSearch: readRevisionSearch,
  component: treePage,
})
const tree = createRoute({
  getParentRoute: () => repository,
  path: '/tree/$',
  validateSearch: readRevisionSearch,
  component: treePage,
})
const file = createRoute({
  getParentRoute: () => repository,
  path: '/file/$',
  validateSearch: readRevisionSearch,
  component: lazyRouteComponent(() => import('./repositories/file-page.tsx'), 'FilePage'),
})
const blame = createRoute({
  getParentRoute: () => repository,
  path: '/blame/$',
  validateSearch: readRevisionSearch,
  component: lazyRouteComponent(() => import('./repositories/blame-page.tsx'), 'BlamePage'),
})
const log = createRoute({
  getParentRoute: () => repository,
  path: '/log/$',
  validateSearch: readLogSearch,
  component: lazyRouteComponent(() => import('./repositories/log-page.tsx'), 'LogPage'),
})
const revision = createRoute({
  getParentRoute: () => repository,
  path: '/revisions/$revision',
  component: lazyRouteComponent(() => import('./repositories/revision-page.tsx'), 'RevisionPage'),
})
const repositorySettings = createRoute({
  getParentRoute: () => repository,
  path: '/settings',
  component: lazyRouteComponent(() => import('./repositories/settings/settings-page.tsx'), 'RepositorySettingsPage'),
})

/** The screens of site administrators; each shows a notice to other people. */
const administration = createRoute({
  getParentRoute: () => own,
  path: '/administration',
  component: lazyRouteComponent(() => import('./administration/administration.tsx'), 'Administration'),
})
const health = createRoute({
  getParentRoute: () => administration,
  path: '/',
  component: lazyRouteComponent(administrationPages, 'HealthPage'),
})
const users = createRoute({
  getParentRoute: () => administration,
  path: '/users',
  validateSearch: ({ q }): { q?: string } => readSearchWord('q', q),
  component: lazyRouteComponent(administrationPages, 'UsersPage'),
})
const user = createRoute({
  getParentRoute: () => administration,
  path: '/users/$id',
  component: lazyRouteComponent(administrationPages, 'UserPage'),
})
const administeredProjects = createRoute({
  getParentRoute: () => administration,
  path: '/projects',
  validateSearch: ({ q, status }): { q?: string; status?: (typeof PROJECT_STATUSES)[number] } => ({
    ...readSearchWord('q', q),
    ...parseOneOf('status', PROJECT_STATUSES, status),
  }),
  component: lazyRouteComponent(administrationPages, 'AdministeredProjectsPage'),
})
const linkTypes = createRoute({
  getParentRoute: () => administration,
  path: '/link-types',
  component: lazyRouteComponent(administrationPages, 'LinkTypesPage'),
})
const identityProviders = createRoute({
  getParentRoute: () => administration,
  path: '/sign-in',
  component: lazyRouteComponent(administrationPages, 'IdentityProvidersPage'),
})
const directories = createRoute({
  getParentRoute: () => administration,
  path: '/directories',
  component: lazyRouteComponent(administrationPages, 'DirectoriesPage'),
})
const jobs = createRoute({
  getParentRoute: () => administration,
  path: '/jobs',
  validateSearch: ({ state }): { state?: (typeof JOB_STATE_FILTERS)[number] } =>
    parseOneOf('state', JOB_STATE_FILTERS, state),
  component: lazyRouteComponent(administrationPages, 'JobsPage'),
})
const trash = createRoute({
  getParentRoute: () => administration,
  path: '/trash',
  validateSearch: ({ type }): { type?: (typeof TRASH_TYPE_FILTERS)[number] } =>
    parseOneOf('type', TRASH_TYPE_FILTERS, type),
  component: lazyRouteComponent(administrationPages, 'TrashPage'),
})
const archives = createRoute({
  getParentRoute: () => administration,
  path: '/archives',
  validateSearch: ({ state }): { state?: (typeof ARCHIVE_STATE_FILTERS)[number] } =>
    parseOneOf('state', ARCHIVE_STATE_FILTERS, state),
  component: lazyRouteComponent(administrationPages, 'ArchivesPage'),
})
const audit = createRoute({
  getParentRoute: () => administration,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(administrationPages, 'AuditPage'),
})
const siteSettings = createRoute({
  getParentRoute: () => administration,
  path: '/settings',
  component: lazyRouteComponent(administrationPages, 'SiteSettingsPage'),
})

/** All routes. `server/src/platform/http/web-ui.ts` serves the document at each. */
export const router = createRouter({
  defaultErrorComponent: ScreenError,
  routeTree: root.addChildren([
    ...VISITOR_ROUTES,
    shell.addChildren([
      projects,
      project,
      ...FINDING_ROUTES,
      projectDashboard,
      tracker,
      board,
      charts,
      artifact,
      own.addChildren([
        home,
        inbox,
        work,
        ownDashboard,
        report,
        ...PROJECT_ROUTES,
        newArtifact,
        newTracker,
        ACCOUNT_ROUTES,
        trackerAdministration.addChildren([
          trackerAdministrationStart,
          general,
          elements,
          permissions,
          workflow,
          rules,
          semantics,
          webhooks,
          trackerTrash,
        ]),
        repository.addChildren([repositoryRoot, tree, file, blame, log, revision, repositorySettings]),
        administration.addChildren([
          health,
          users,
          user,
          administeredProjects,
          linkTypes,
          identityProviders,
          directories,
          jobs,
          trash,
          archives,
          audit,
          siteSettings,
        ]),
      ]),
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

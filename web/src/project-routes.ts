import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { own } from './frame-routes.tsx'

const projectPages = () => import('./project-settings/project-pages.ts')

const newProject = createRoute({
  getParentRoute: () => own,
  path: '/projects/new',
  component: lazyRouteComponent(projectPages, 'NewProjectPage'),
})
const projectSettings = createRoute({
  getParentRoute: () => own,
  path: '/projects/$shortname/settings',
  component: lazyRouteComponent(projectPages, 'ProjectSettings'),
})
const generalSettings = createRoute({
  getParentRoute: () => projectSettings,
  path: '/',
  component: lazyRouteComponent(projectPages, 'ProjectGeneralPage'),
})
const membersSettings = createRoute({
  getParentRoute: () => projectSettings,
  path: '/members',
  component: lazyRouteComponent(projectPages, 'MembersPage'),
})
const groupsSettings = createRoute({
  getParentRoute: () => projectSettings,
  path: '/groups',
  component: lazyRouteComponent(projectPages, 'GroupsPage'),
})
const projectTrash = createRoute({
  getParentRoute: () => projectSettings,
  path: '/trash',
  component: lazyRouteComponent(projectPages, 'ProjectTrashPage'),
})
const projectLinkTypes = createRoute({
  getParentRoute: () => projectSettings,
  path: '/link-types',
  component: lazyRouteComponent(projectPages, 'ProjectLinkTypesPage'),
})
const projectWebhooks = createRoute({
  getParentRoute: () => projectSettings,
  path: '/webhooks',
  component: lazyRouteComponent(projectPages, 'ProjectWebhooksPage'),
})
const projectAudit = createRoute({
  getParentRoute: () => projectSettings,
  path: '/audit',
  component: lazyRouteComponent(projectPages, 'ProjectAuditPage'),
})

/** New projects, and the settings of a project. */
export const PROJECT_ROUTES = [
  newProject,
  projectSettings.addChildren([
    generalSettings,
    membersSettings,
    groupsSettings,
    projectLinkTypes,
    projectWebhooks,
    projectAudit,
    projectTrash,
  ]),
] as const

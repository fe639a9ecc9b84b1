/** One chunk: each dynamic import of its own would add to the first screen. */
export { ProjectGeneralPage } from './general-page.tsx'
export { GroupsPage } from './groups-page.tsx'
export { MembersPage } from './members-page.tsx'
export { ProjectSettings } from './project-settings.tsx'
export { ProjectTrashPage } from './trash-page.tsx'
export { NewProjectPage } from '../projects/new-project-page.tsx'

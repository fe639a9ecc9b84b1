/** One chunk: each dynamic import of its own would add to the first screen. */
export { AppearancePage } from './appearance-page.tsx'
export { SecurityPage } from './security-page.tsx'
export { NotificationSettingsPage } from '../notifications/settings-page.tsx'
export { ProfilePage } from '../profile/profile-page.tsx'

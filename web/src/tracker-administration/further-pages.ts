/** One chunk: each dynamic import of its own would add to the first screen. */
export { TrackerTrashPage } from './trash-page.tsx'
export { WebhooksPage } from './webhooks-page.tsx'

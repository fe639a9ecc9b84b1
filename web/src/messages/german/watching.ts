import type { WATCHING } from '../watching.ts'

/** The notification level of a project, a tracker or an artifact. */
export const GERMAN_WATCHING: Readonly<Record<keyof typeof WATCHING, string>> = {
  watch: 'Beobachten',
  'watch.project': 'Dieses Projekt beobachten',
  'watch.tracker': 'Diesen Tracker beobachten',
  'watch.artifact': 'Dieses Artefakt beobachten',
  'watch.inherited': 'Standard',
  'watch.as': 'Derzeit: {level}',
  'watch.on': 'Benachrichtigungen: {level}.',
  'watch.off': 'Benachrichtigungen: Standardstufe.',
}

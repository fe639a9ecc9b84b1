/** The notification level of a project, a tracker or an artifact. */
export const WATCHING = {
  watch: 'Watch',
  'watch.project': 'Watch this project',
  'watch.tracker': 'Watch this tracker',
  'watch.artifact': 'Watch this artifact',
  'watch.inherited': 'Default',
  'watch.as': 'Currently: {level}',
  'watch.on': 'Notifications: {level}.',
  'watch.off': 'Notifications: default level.',
} as const satisfies Readonly<Record<string, string>>

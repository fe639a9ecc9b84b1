/** The sub-resources that each service adds to a project, in listing order. */
export const SERVICE_RESOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ['plugin_tracker', ['trackers']],
  ['plugin_svn', ['svn']],
])

/** Which sub-resources of a project each service brings, in the order in which a project lists them. */
export const SERVICE_RESOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ['plugin_tracker', ['trackers']],
  ['plugin_svn', ['svn']],
])

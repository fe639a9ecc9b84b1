/** Every named step at which a test may kill the process. */
export const FAILPOINTS = [
  'write.begun',
  'write.done',
  'write.stored',
  'write.committed',
  'artifact.drafted',
  'artifact.labelled',
  'artifact.written',
  'artifact.linked',
  'artifact.triggered',
  'artifact.counted',
  'artifact.deleted',
  'artifact.restored',
  'artifact.moved',
  'artifact.line',
  'file.stored',
  'file.recorded',
  'file.joined',
  'file.sealed',
  'file.attached',
  'file.detached',
  'file.released',
  'file.removed',
  'svn.created',
  'svn.placed',
  'svn.set_aside',
  'svn.dumped',
  'svn.dump_recorded',
  'svn.loaded',
  'svn.replaced',
  'svn.restored',
  'svn.commit_allowed',
  'svn.commit_unrecorded',
  'svn.commit_recorded',
  'webhook.sent',
  'job.taken',
  'job.ran',
  'job.recorded',
  'mail.composed',
  'mail.sent',
  'notice.planned',
  'notice.written',
] as const

export type Failpoint = (typeof FAILPOINTS)[number]

/** Every fault that may be planted, to see that the search for faults finds it. */
export const PLANTS = ['lost-write', 'duplicate-on-retry', 'stale-overwrite', 'swapped-id', 'leaked-field'] as const

export type Plant = (typeof PLANTS)[number]

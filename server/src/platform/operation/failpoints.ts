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
  'job.taken',
  'job.ran',
  'job.recorded',
] as const

export type Failpoint = (typeof FAILPOINTS)[number]

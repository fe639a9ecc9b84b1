/** Every named step at which a test may kill the process. */
export const FAILPOINTS = [
  'write.begun',
  'write.done',
  'write.stored',
  'write.committed',
  'job.taken',
  'job.ran',
  'job.recorded',
] as const

export type Failpoint = (typeof FAILPOINTS)[number]

import { sequenceEvents } from '../../src/platform/database/sequence-events.ts'
import type { Context } from '../../src/platform/operation/context.ts'

/** Makes all committed events readable. */
export async function settleFeed({ db }: Context): Promise<void> {
  await sequenceEvents(db)
}

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, PIA, RITA, SAM, TOM } from '../../../test/fixtures/people.ts'
import { findCommitter, findUsableViewer, findViewer } from './find-viewer.ts'

const { context } = await startWorld()

describe('the account of a login', () => {
  test('acts in a command, in whatever case it is written', async () => {
    expect(await findViewer(context, 'ADA')).toMatchObject({
      account_id: ADA.id,
      is_site_admin: true,
      credential: { kind: 'command_line', id: null },
    })
    await expect(findViewer(context, 'unknown-login')).rejects.toThrow('There is no account unknown-login.')
  })

  test('finds the committer, or undefined', async () => {
    expect(await findCommitter(context, 'Tom')).toMatchObject({ account_id: TOM.id, credential: { kind: 'svn' } })
    expect(await findCommitter(context, 'unknown-login')).toBeUndefined()
  })
})

describe('an account by its id', () => {
  test('is a viewer as long as it could sign in', async () => {
    expect(await findUsableViewer(context, TOM.id)).toMatchObject({ account_id: TOM.id, login: 'tom' })
    expect(await findUsableViewer(context, RITA.id)).toMatchObject({ account_id: RITA.id, is_restricted: true })
    for (const { id } of [SAM, PIA]) expect(await findUsableViewer(context, id)).toBeUndefined()
    await sql`update account set password_expires_on = ${context.clock.now()} where id = ${TOM.id}`.execute(context.db)
    expect(await findUsableViewer(context, TOM.id)).toBeUndefined()
  })
})

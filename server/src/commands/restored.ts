import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { findUnerasedUsers } from '../accounts/users/erased-users.ts'
import { eraseUser } from '../accounts/users/erase-user.ts'
import { resetTransactionPlaces } from '../feed/webhooks/store-webhook.ts'
import { beginFeedEpoch } from '../platform/database/feed-epoch.ts'
import { describeFailure } from '../platform/messages/describe-failure.ts'
import { callRoute, OPERATOR } from './call-route.ts'
import { print } from './print.ts'
import { withContext } from './with-context.ts'

export function restoredCommand(program: Command): void {
  program
    .command('restored')
    .description('after a backup was restored: erase those again who were erased since, and begin the feed anew')
    .requiredOption('--erased <file>', 'what `waypost user erased --file` wrote last, before the restore')
    .action(({ erased }: { erased: string }) =>
      withContext(async (context) => {
        const ids = readIds(await readFile(erased, 'utf8'))
        // An account that cannot be erased, such as the last administrator of a project, does not stop the others.
        for (const { id, login } of await findUnerasedUsers(context, ids))
          try {
            await callRoute(context, eraseUser, OPERATOR, { params: { id }, body: { confirm: login } })
            print(`User ${id} is erased again.`)
          } catch (error) {
            process.stderr.write(`User ${id}: ${describeFailure(error)}\n`)
            process.exitCode = 1
          }
        await beginFeedEpoch(context.db)
        await resetTransactionPlaces(context.db)
        print('The feed begins anew.')
      }),
    )
}

function readIds(text: string): number[] {
  const lines = text.split(/\s+/).filter(Boolean)
  const wrong = lines.find((line) => !/^\d{1,15}$/.test(line))
  if (wrong !== undefined) throw new Error(`${wrong} is not the id of a user.`)
  return lines.map(Number)
}

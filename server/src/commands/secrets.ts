import type { Command } from 'commander'
import { relockIdentitySecrets, type IdentityRelockReport } from '../accounts/identity/identity-secret.ts'
import { relockWebhookSecrets } from '../feed/webhooks/relock-secrets.ts'
import { recordAudit } from '../platform/database/audit.ts'
import { SHELL_ORIGIN } from './call-route.ts'
import { print } from './print.ts'
import { withContext } from './with-context.ts'

export function secretsCommand(program: Command): void {
  const secrets = program.command('secrets').description('what WAYPOST_SECRET_KEYS encrypts')

  secrets
    .command('rotate')
    .description('encrypt all stored secrets with the first key, so that the others can be dropped; servers may run')
    .option('--dry-run', 'only count them')
    .action(({ dryRun: isDryRun = false }: { dryRun?: boolean }) =>
      withContext(async (context) => {
        const { current, relocked, lost } = await relockWebhookSecrets(context, { isDryRun })
        const providers = await relockIdentitySecrets(context, 'identity_provider', { isDryRun })
        const directories = await relockIdentitySecrets(context, 'directory', { isDryRun })
        if (!isDryRun)
          await recordAudit(context.db, SHELL_ORIGIN, {
            action: 'secrets.rotate',
            after: {
              current,
              relocked,
              lost,
              ...(hasSecrets(providers) && { identity_providers: providers }),
              ...(hasSecrets(directories) && { directories }),
            },
          })
        const verb = isDryRun ? 'To re-encrypt' : 'Re-encrypted'
        print(`${verb}: ${relocked} secrets of webhooks.`)
        print(`Encrypted with the first key already: ${current}.`)
        if (providers.relocked > 0) print(`${verb}: ${providers.relocked} secrets of identity providers.`)
        if (directories.relocked > 0) print(`${verb}: ${directories.relocked} secrets of directories.`)
        for (const id of lost) print(`None of the keys opens the secret of webhook ${id}: give it a new one.`)
        for (const name of providers.lost)
          print(`None of the keys opens the secret of the identity provider ${name}: give it a new one.`)
        for (const name of directories.lost)
          print(`None of the keys opens the secret of the directory ${name}: give it a new one.`)
        process.exitCode = lost.length + providers.lost.length + directories.lost.length > 0 ? 1 : 0
      }),
    )
}

function hasSecrets({ current, relocked, lost }: IdentityRelockReport): boolean {
  return current + relocked + lost.length > 0
}

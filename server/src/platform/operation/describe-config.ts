import { VARIABLES } from './config.ts'

/** Generates `docs/configuration.md`. */
export function describeConfig(): string {
  const rows = Object.entries(VARIABLES).map(([name, variable]) => {
    const secret = 'secret' in variable ? 'yes' : ''
    return `| \`${name}\` | ${variable.meaning} | ${fallback(variable.fallback)} | ${secret} |`
  })
  return `# Configuration

Everything comes from variables of the environment. They are read and checked at the start: one start names all that is
wrong, and a variable that begins with \`WAYPOST_\` and is not in this list is refused. \`npx waypost config\` prints the list with
the values in force; secrets are not printed. Settings change while the server runs: \`GET\` and \`PATCH /api/settings\`.

Instead of a secret, its name with \`_FILE\` may name a file that contains it, such as a credential of systemd or a secret of
Kubernetes: \`WAYPOST_SECRET_KEYS_FILE=/run/credentials/waypost.service/keys\`. A line break at the end does not count.

This list is generated from the code by \`npm run docs\`.

| Variable | Meaning | Default | Secret |
|---|---|---|---|
${rows.join('\n')}
`
}

function fallback(value: string | undefined): string {
  if (value === undefined) return '(required)'
  return value === '' ? '(empty)' : `\`${value}\``
}

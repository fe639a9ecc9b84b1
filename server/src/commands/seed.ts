import { type Command, InvalidArgumentError } from 'commander'
import { Client } from 'pg'
import { seedAccounts } from '../accounts/seed-accounts.ts'
import { seedProjects } from '../projects/seed-projects.ts'
import { print, progressBar } from './print.ts'
import { ownerUrl, seedBenchArtifacts, ARTIFACT_COUNT_STEP } from './seed-artifacts.ts'

interface SeedOptions {
  users: number
  projects: number
  members: number
  seed: number
}

export function seedCommand(program: Command): void {
  program
    .command('seed')
    .description('fill the database with made-up people, projects and artifacts, for trials and measurements')
    .option('--users <count>', 'people', parseWholeNumber, 100)
    .option('--projects <count>', 'projects', parseWholeNumber, 10)
    .option('--members <count>', 'members of each project', parseWholeNumber, 20)
    .option(
      '--artifacts <count>',
      `artifacts of one tracker, a multiple of ${ARTIFACT_COUNT_STEP}`,
      parseArtifactCount,
      0,
    )
    .option('--seed <number>', 'the same number makes the same data', parseWholeNumber, 20260301)
    .action(async ({ artifacts, ...options }: SeedOptions & { artifacts: number }) => {
      if (artifacts > 0) await seedBenchArtifacts(process.env, artifacts, progressBar('artifacts', artifacts))
      const began = Date.now()
      await seedDatabase(ownerUrl(process.env), options)
      print(
        `${options.users} people and ${options.projects} projects in ${((Date.now() - began) / 1000).toFixed(1)} s.`,
      )
    })
}

export async function seedDatabase(url: string, { users, projects, members, seed }: SeedOptions): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    const first = await seedAccounts(client, users, seed, progressBar('people  ', users))
    const people = { first, count: users }
    await seedProjects(client, { count: projects, people, members, seed }, progressBar('projects', projects))
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

function parseArtifactCount(text: string): number {
  const count = parseWholeNumber(text)
  if (count % ARTIFACT_COUNT_STEP !== 0) throw new InvalidArgumentError(`must be a multiple of ${ARTIFACT_COUNT_STEP}`)
  return count
}

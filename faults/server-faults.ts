import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { APP_ROLE } from '../server/src/platform/database/local-postgres.ts'
import type { Failpoint } from '../server/src/platform/operation/failpoints.ts'
import type { SupervisedServer } from './servers.ts'
import type { Fault, Scene } from './setup.ts'

/** The failpoints that the operations of a run pass. */
export const CRASH_STEPS: readonly [Failpoint, ...Failpoint[]] = [
  'write.begun',
  'write.done',
  'write.stored',
  'write.committed',
  'artifact.drafted',
  'artifact.numbered',
  'artifact.labelled',
  'artifact.written',
  'artifact.triggered',
  'artifact.counted',
  'artifact.deleted',
  'artifact.line',
  'file.stored',
  'file.recorded',
  'file.sealed',
  'file.attached',
]

/** Faults of servers, for every set-up. */
export function serverFaults(servers: readonly SupervisedServer[], administrator: () => Client): Fault[] {
  const any = ({ random }: Scene) => random.pickAny(servers)
  return [
    {
      name: 'kill -9 of a server',
      counts: ['server kill'],
      share: 4,
      inject: async (scene) => any(scene)?.kill(),
    },
    {
      name: 'servers kill themselves at named steps',
      counts: ['server kill'],
      share: 6,
      async inject(scene) {
        const { random, note } = scene
        const steps = random.shuffled(CRASH_STEPS).slice(0, 3)
        // At a rare failpoint, the first pass crashes.
        const isUsual = (step: string) => step.startsWith('write') || step === 'artifact.drafted'
        const passes = steps.map((step) => `${step}:${isUsual(step) ? random.integer(1, 12) : 1}`)
        const hit = (await any(scene)?.crashAt(passes)) ?? []
        for (const step of hit) note(`killed at ${step.split(':')[0]}`)
        return passes.length + 1 // Servers that passed no failpoint in time were killed too, and so was the first one.
      },
    },
    {
      name: 'a server is frozen',
      counts: ['other'],
      share: 1,
      inject: async (scene) => any(scene)?.freeze(scene.random.integer(500, 5000)),
    },
    {
      name: 'rolling restart',
      counts: ['other'],
      share: 1,
      async inject() {
        for (const server of servers) await server.restart()
      },
    },
    {
      name: 'all sessions of servers are ended',
      counts: ['other'],
      share: 2,
      inject: () => endSessions(administrator()),
    },
  ]
}

async function endSessions(administrator: Client): Promise<void> {
  administrator.on('error', () => {})
  try {
    await administrator.connect()
    for (let round = 0; round < 3; round++) {
      await administrator.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [APP_ROLE])
      await pause(200)
    }
  } finally {
    await administrator.end().catch(() => {})
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Host } from './hosts.ts'
import type { PatroniCluster } from './patroni-cluster.ts'
import type { Fault } from './setup.ts'

/** Faults of three hosts and their network. */
export function patroniFaults(cluster: PatroniCluster): Fault[] {
  const others = (host: Host) => cluster.hosts.filter((each) => each !== host)
  /** Injects a fault into the leader, waits for another leader, and repairs the host. */
  const strike =
    (hit: (leader: Host) => Promise<unknown>, mend: (leader: Host) => Promise<unknown>): Fault['inject'] =>
    async ({ note }) => {
      const leader = await cluster.leader()
      await hit(leader)
      const next = await cluster.otherLeader(leader)
      note(`${next.name} leads instead of ${leader.name}`)
      await mend(leader)
      note(`${(await cluster.followed()).name} is followed synchronously`)
      await cluster.whole()
    }
  return [
    {
      name: 'kill -9 of the postmaster of the leader',
      counts: ['primary kill', 'failover'],
      share: 2,
      inject: strike(
        (leader) => leader.killOnly(/\/postgres -D/),
        async () => {},
      ),
    },
    {
      name: 'the host of the leader dies',
      counts: ['primary kill', 'failover'],
      share: 2,
      inject: strike(
        (leader) => leader.kill(),
        (leader) => cluster.revive(leader),
      ),
    },
    {
      name: 'kill -9 of Patroni of the leader, which goes on as if it led',
      counts: ['failover'],
      share: 1,
      inject: strike(
        (leader) => leader.killOnly(/bin\/patroni/),
        (leader) => cluster.startPatroni(leader),
      ),
    },
    {
      name: 'the host of the leader is frozen',
      counts: ['failover'],
      share: 1,
      inject: strike(
        (leader) => leader.signal('SIGSTOP'),
        (leader) => leader.signal('SIGCONT'),
      ),
    },
    {
      name: 'the leader is cut off from everybody',
      counts: ['partition', 'failover'],
      share: 2,
      inject: strike(
        (leader) => leader.unplug(),
        async (leader) => {
          await pause(3000)
          await leader.plugIn()
        },
      ),
    },
    {
      name: 'the leader is cut off from the other hosts, and servers still reach it',
      counts: ['partition', 'failover'],
      share: 2,
      inject: strike(
        (leader) => leader.forget(others(leader)),
        (leader) => leader.recall(others(leader)),
      ),
    },
    {
      name: 'the host of a standby dies',
      counts: ['other'],
      share: 1,
      async inject({ random }) {
        const standby = random.pickAny(others(await cluster.leader()))
        await standby?.kill()
        await pause(5000)
        if (standby) await cluster.revive(standby)
        await cluster.whole()
      },
    },
  ]
}

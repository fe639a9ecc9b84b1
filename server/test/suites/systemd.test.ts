import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { VARIABLES } from '../../src/platform/operation/config.ts'
import { shippedApacheConfig } from '../../src/repositories/disk/apache-config.ts'
import { callCommand } from '../harness/run-command.ts'

const DEPLOY = fileURLToPath(new URL('../../../deploy', import.meta.url))
const UNITS = (await readdir(join(DEPLOY, 'systemd'))).filter((name) => name.endsWith('.service'))
const MAX_EXPOSURE = 3
const run = promisify(execFile)

const readUnit = async (name: string) => {
  const text = await readFile(join(DEPLOY, 'systemd', name), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

test.each(UNITS)('B02 the unit %s has an exposure rating by systemd of 3.0 of 10 at most', async (name) => {
  // The exit status is 1 above the threshold only; the figure is in the last line.
  const { stdout } = await run('systemd-analyze', ['security', '--offline=true', join(DEPLOY, 'systemd', name)])
  const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])

  expect(exposure).toBeLessThanOrEqual(MAX_EXPOSURE)
})

test.each(UNITS)('B02/directives the unit %s has hardening directives beyond the rating', async (name) => {
  expect(await readUnit(name)).toEqual(
    expect.arrayContaining([
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'PrivateDevices=yes',
      'SystemCallFilter=@system-service',
      'CapabilityBoundingSet=',
      'LimitCORE=0',
    ]),
  )
  // V8 needs to compile; Apache's unit runs Node before Apache.
  expect(await readUnit(name)).not.toContain('MemoryDenyWriteExecute=yes')
})

test("B03 Apache's unit has its own environment file, without any secret", async () => {
  const unit = await readUnit('waypost-svn.service')
  const lines = (await readFile(join(DEPLOY, 'apache', 'svn-environment'), 'utf8')).split('\n')
  const names = lines.flatMap((line) => /^(WAYPOST_\w+)=/.exec(line)?.[1] ?? [])
  const secrets = Object.entries(VARIABLES).flatMap(([name, each]) => ('secret' in each && each.secret ? [name] : []))

  expect(unit.filter((line) => line.startsWith('EnvironmentFile='))).toEqual([
    'EnvironmentFile=/etc/waypost/svn-environment',
  ])
  expect(names).toContain('WAYPOST_SVN_ROOT')
  expect(names.filter((name) => secrets.includes(name))).toEqual([])
})

test("B03/config Apache's configuration is generated from that file only", async () => {
  const lines = (await readFile(join(DEPLOY, 'apache', 'svn-environment'), 'utf8')).split('\n')
  const shipped = Object.fromEntries(lines.flatMap((line) => (line.startsWith('WAYPOST_') ? [line.split('=', 2)] : [])))
  const printed = await callCommand(shipped, ['svn', 'apache-config'])
  expect(printed).toMatchObject({ code: 0, err: '' })
  expect(shippedApacheConfig()).toContain(printed.out.trimEnd())

  const root = await mkdtemp(join(tmpdir(), 'waypost-svn-'))
  try {
    const written = await callCommand({ ...shipped, WAYPOST_SVN_ROOT: root }, ['svn', 'apache-config', '--write'])
    expect(written).toEqual({ code: 0, err: '', out: `${join(root, 'apache', 'httpd.conf')}\n` })
  } finally {
    await rm(root, { recursive: true })
  }
})

import type { Rule } from '../platform/words/reasons.ts'

// Names of hosts and of parts of a system: a project of this name would pass for one of them.
const RESERVED = new Set(
  `admin administrator anonymous api backup bin compile cvs daemon database dns download downloads ftp git goto help
  imap irc ldap list lists localhost login mail mirror monitor mysql news nobody none ns null pop postgres postgresql
  postmaster projects proxy pub public register root security shell smtp ssh static status support svn svnplugin
  svnroot system template templates test tmp undefined uploads users var waypost webmaster wiki www`.split(/\s+/),
)
const NUMBERED_HOST = /^(?:cvs|dns|ftp|irc|mail|news|ns|shell|svn|www)\d$/

/** The rule that a project's short name breaks; undefined: it may be given, if nobody has it. */
export function faultOfShortName(name: string): Rule | undefined {
  if (name.length < 3) return 'min_length'
  if (name.length > 30) return 'max_length'
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(name)) return 'pattern'
  const lower = name.toLowerCase()
  return RESERVED.has(lower) || NUMBERED_HOST.test(lower) ? 'one_of' : undefined
}

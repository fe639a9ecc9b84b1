import { type Static, Type } from 'typebox'
import { Email } from '../accounts/addresses/email-rules.ts'
import type { Config } from '../platform/operation/config.ts'
import type { Version } from '../platform/wire/etag.ts'
import { NETWORK } from '../platform/wire/formats.ts'
import type { Reply } from '../platform/http/route.ts'
import { fixedSettings, type Settings, SettingsSchema } from '../platform/operation/settings.ts'

export const AllSettings = Type.Object(
  {
    ...SettingsSchema.properties,
    public_url: Type.String({ description: 'The address of this platform; the environment fixes it.', readOnly: true }),
    fixed: Type.Array(Type.String(), { description: 'What the environment fixes.', readOnly: true }),
  },
  { title: 'Settings' },
)
export type AllSettings = Static<typeof AllSettings>

const Address = Type.Union([Email, Type.Literal('')])

/** Any of them. `public_url` is known here so that it can be refused for the right reason. */
export const SettingsChanges = Type.Object(
  {
    ...Type.Partial(SettingsSchema).properties,
    contact_email: Type.Optional(Address),
    mail_from: Type.Optional(Address),
    webhook_private_targets: Type.Optional(
      Type.Array(Type.String({ maxLength: 50, format: NETWORK }), { maxItems: 100, uniqueItems: true }),
    ),
    public_url: Type.Optional(Type.Unknown({ readOnly: true })),
  },
  { title: 'SettingsChanges', additionalProperties: false, examples: [{ platform_name: 'Waypost' }] },
)
export type SettingsChanges = Static<typeof SettingsChanges>

/** What nobody can set here. */
export function fixedNames(config: Config): string[] {
  return [...Object.keys(fixedSettings(config)), 'public_url']
}

export function settingsTag(version: number): Version {
  return { kind: 'settings', id: 'platform', version }
}

export function showSettings(config: Config, settings: Settings, version: number): Reply<AllSettings> {
  const public_url = config.WAYPOST_PUBLIC_URL.origin
  return { body: { ...settings, public_url, fixed: fixedNames(config) }, version: settingsTag(version) }
}

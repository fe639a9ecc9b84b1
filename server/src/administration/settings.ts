import { type Static, Type } from 'typebox'
import { Email } from '../accounts/addresses/email-rules.ts'
import type { Config } from '../platform/operation/config.ts'
import type { ResourceVersion } from '../platform/wire/etag.ts'
import { NETWORK } from '../platform/wire/formats.ts'
import type { RouteReply } from '../platform/http/route-call.ts'
import { fixedSettings, type SettingValues, SettingsSchema } from '../platform/operation/settings.ts'

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

/** Accepts any subset. `public_url` is included so that it is refused for the right reason. */
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

/** Settings that cannot be changed here. */
export function fixedNames(config: Config): string[] {
  return [...Object.keys(fixedSettings(config)), 'public_url']
}

export function settingsTag(version: number): ResourceVersion {
  return { kind: 'settings', id: 'platform', version }
}

export function showSettings(config: Config, settings: SettingValues, version: number): RouteReply<AllSettings> {
  const public_url = config.WAYPOST_PUBLIC_URL.origin
  return { body: { ...settings, public_url, fixed: fixedNames(config) }, version: settingsTag(version) }
}

import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'

const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

export const PRODUCT = 'Waypost'
export const VERSION = Parse(Type.Object({ version: Type.String() }), manifest).version

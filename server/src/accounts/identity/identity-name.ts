import { Type } from 'typebox'
import type { Param } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'

const NAME = /^[a-z][a-z0-9-]{0,39}$/
export const IDENTITY_NAME_PATTERN = NAME.source

/** A provider or a directory in the path of a route. */
export function identityNameParam(description: string): Param<string> {
  return {
    schema: Type.String({ pattern: IDENTITY_NAME_PATTERN, description }),
    parse(text, path) {
      if (!NAME.test(text)) throw new ApiError('id_malformed', { path, rule: 'format' })
      return text
    },
  }
}

import { type errorBody } from './errors.ts'
import { REASONS } from './reasons.ts'

export const PROBLEM_MEDIA_TYPE = 'application/problem+json'

/** The page that `type` leads to: one entry for each reason. */
export const REASONS_PATH = '/explorer/errors'

/** The same error in the form of RFC 9457, with our members beside the standard ones. */
export function toProblemDetails(
  { error }: ReturnType<typeof errorBody>,
  { publicUrl, instance }: { publicUrl: URL; instance: string },
) {
  return {
    type: new URL(`/api${REASONS_PATH}#${error.reason}`, publicUrl).href,
    title: REASONS[error.reason][1],
    status: error.code,
    detail: error.i18n_error_message,
    instance,
    ...error,
  }
}

import { ValueFault } from './field-type.ts'

/** For read-only fields. The caller has already checked that the written value differs from the current one. */
export async function refuseWriting(): Promise<never> {
  throw new ValueFault('rule_violated', { path: 'value', cause: 'field_read_only' })
}

import { ValueFault } from './field-type.ts'

/** For fields that the platform alone fills. Whoever writes an artifact has seen before that the value is not the same. */
export async function refuseWriting(): Promise<never> {
  throw new ValueFault('rule_violated', { path: 'value', cause: 'field_read_only' })
}

import { VAULT_CANARY } from '../../fixtures/canaries.ts'
import type { WireRequest } from './draft.ts'
import type { WireSender, WireAnswer } from './send.ts'

/** Simulated server bugs that the fuzzer must find: `--plant leak`. */
export const PLANTED_BUGS = {
  /** A secret of a project, for every caller. */
  leak: ({ text, ...answer }) => ({
    ...answer,
    text: answer.status === 200 && text.startsWith('{') ? `{"leaked":"${VAULT_CANARY}",${text.slice(1)}` : text,
  }),
  failure: (answer, { path }) => (path.includes('projects') ? { ...answer, status: 500 } : answer),
  /** A member that no schema has. */
  shape: ({ text, ...answer }) => ({
    ...answer,
    text: answer.status === 200 && /^\{"\w/.test(text) ? `{"more":1,${text.slice(1)}` : text,
  }),
  /** The text of an exception in an error. */
  insides: ({ text, ...answer }) => ({
    ...answer,
    text: answer.status === 404 ? text.replace('"message":"', '"message":"TypeError: x is not a function ') : text,
  }),
  /** An error without its reason. */
  refusal: ({ text, ...answer }) => ({ ...answer, text: text.replace(/"reason":"\w+",?/, '') }),
} satisfies Record<string, (answer: WireAnswer, request: WireRequest) => WireAnswer>

export type PlantedBug = keyof typeof PLANTED_BUGS

export function isPlantedBug(name: string): name is PlantedBug {
  return name in PLANTED_BUGS
}

/** Wraps a sender with a planted bug. */
export function withPlantedBug(sender: WireSender, plant: PlantedBug): WireSender {
  return {
    send: async (message) => PLANTED_BUGS[plant](await sender.send(message), message),
    sendRaw: (bytes) => sender.sendRaw(bytes),
    close: () => sender.close(),
  }
}

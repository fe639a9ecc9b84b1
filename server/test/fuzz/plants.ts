import { VAULT_CANARY } from '../canaries.ts'
import type { WireRequest } from './draft.ts'
import type { Sender, WireAnswer } from './send.ts'

/** What a broken server would answer, to see that the fuzz would find it: `--plant leak`. */
export const PLANTS = {
  /** A secret of a project, to whoever asks. */
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
  /** The text of an exception in a refusal. */
  insides: ({ text, ...answer }) => ({
    ...answer,
    text: answer.status === 404 ? text.replace('"message":"', '"message":"TypeError: x is not a function ') : text,
  }),
  /** A refusal without its reason. */
  refusal: ({ text, ...answer }) => ({ ...answer, text: text.replace(/"reason":"\w+",?/, '') }),
} satisfies Record<string, (answer: WireAnswer, request: WireRequest) => WireAnswer>

export type Plant = keyof typeof PLANTS

export function isPlant(name: string): name is Plant {
  return name in PLANTS
}

/** Answers as that broken server would. */
export function plantIn(sender: Sender, plant: Plant): Sender {
  return {
    send: async (message) => PLANTS[plant](await sender.send(message), message),
    sendRaw: (bytes) => sender.sendRaw(bytes),
    close: () => sender.close(),
  }
}

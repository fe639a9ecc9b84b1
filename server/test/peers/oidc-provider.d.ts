// The package has no types. These are the parts that the peer of the tests uses.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface OidcContext {
    readonly path: string
    readonly oidc: {
      readonly client?: { readonly clientId: string }
      readonly session: { readonly accountId: string }
      readonly params?: Readonly<Record<string, unknown>>
    }
    body: unknown
    status: number
    type: string
  }

  export class Grant {
    constructor(of: { clientId: string; accountId: string })
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: typeof Grant
    readonly Client: {
      find(id: string): Promise<{ backchannelLogout(sub: string, sid?: string): Promise<void> } | undefined>
    }
    use(middleware: (ctx: OidcContext, next: () => Promise<void>) => Promise<void>): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ uid: string }>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}

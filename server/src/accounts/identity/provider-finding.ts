/** One thing that was looked at. */
export interface ProviderFinding {
  readonly check: 'settings' | 'secret' | 'discovery' | 'metadata' | 'keys' | 'clock' | 'client' | 'redirect' | 'logout'
  readonly state: 'ok' | 'warning' | 'wrong'
  readonly detail: string
}

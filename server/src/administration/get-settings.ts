import { requireSiteAdmin } from '../accounts/auth-errors.ts'
import { readRoute } from '../platform/http/route.ts'
import { AllSettings, showSettings } from './settings.ts'

export const getSettings = readRoute({
  method: 'GET',
  path: '/settings',
  operationId: 'getSettings',
  summary: 'Show the settings of the platform.',
  description: 'Shows all settings that apply while the server runs. Site administrators only. Others get 403.',
  access: 'signed_in',
  answer: AllSettings,
  versioned: true,
  async handle({ context: { config, settings }, viewer }) {
    requireSiteAdmin(viewer)
    return showSettings(config, settings.current, settings.version)
  },
})

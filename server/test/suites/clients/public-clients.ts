import { visitAsReferencesGraph, visitWithKey, visitWithToken } from './djurodrljaca.ts'
import { visitAsFrontEnd } from './front-end.ts'
import { visitAsNodeTuleapApi } from './node-tuleap-api.ts'
import { visitAsCheeloung, visitAsRominou, visitAsShamil } from './tuleap-mcp.ts'
import { visitAsTuleapPet } from './tuleap-pet.ts'
import { visitAsBuildServer, visitAsEditor } from './uploads-and-builds.ts'
import type { PublicClient } from './visit.ts'

/** The public programs with known calls, by their public names. */
export const PUBLIC_CLIENTS: readonly PublicClient[] = [
  { name: 'AlexandrLebegue/Tuleap-Pet', visit: visitAsTuleapPet },
  { name: 'djurodrljaca/tuleap-rest-api-client (token)', visit: visitWithToken },
  { name: 'djurodrljaca/tuleap-rest-api-client (key)', visit: visitWithKey },
  { name: 'cheeloung/tuleap-mcp', visit: visitAsCheeloung },
  { name: 'Enalean/vscode-tuleap-extension', visit: visitAsEditor },
  { name: 'vipex/node-tuleap-api', visit: visitAsNodeTuleapApi },
  { name: 'tlp-fetch, fetch-result (pages of Tuleap)', visit: visitAsFrontEnd },
  { name: 'Enalean/tuleap-references-graph', visit: visitAsReferencesGraph },
  { name: 'Rominou34/tuleap-mcp', visit: visitAsRominou },
  { name: 'shamil2/tuleap-mcp', visit: visitAsShamil },
  { name: 'jenkinsci/tuleap-api-plugin', visit: visitAsBuildServer },
]

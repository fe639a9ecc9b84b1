import { EVERYONE, frozen, type Row, SIGNED_IN } from './right.ts'
import { FILE, FILE_FIELD, NOTHING, OWN_FILE } from './subjects.ts'

/** The rows of the table of rights for the routes on files. `file-addresses.test.ts` has those outside of `/api`. */
export const RIGHTS_ON_FILES: Record<string, Row> = {
  announceFile: {
    subject: FILE_FIELD,
    right: SIGNED_IN,
    body: { name: 'plan.txt', file_size: 3, file_type: 'text/plain' },
    otherwise: frozen,
  },
  getArtifactFile: { subject: FILE, right: EVERYONE },
  createTemporaryFile: {
    subject: NOTHING,
    right: SIGNED_IN,
    body: { name: 'core.log', mimetype: 'text/plain', content: 'QUFB' },
  },
  appendChunk: { subject: OWN_FILE, right: SIGNED_IN, body: { content: 'QkJC', offset: 2 } },
  listTemporaryFiles: { subject: NOTHING, right: SIGNED_IN },
  getTemporaryFile: { subject: OWN_FILE, right: SIGNED_IN },
  deleteTemporaryFile: { subject: OWN_FILE, right: SIGNED_IN },
}

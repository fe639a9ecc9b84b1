import { Lines } from './client.ts'
import { BUGS, GATES, OPEN_BUG, ORCHARD } from './places.ts'
import {
  EVERYONE,
  frozen,
  PROJECT_ADMIN,
  type Right,
  type Row,
  SELF,
  SIGNED_IN,
  SITE_ADMIN,
  TRACKER_ADMIN,
} from './right.ts'
import {
  ARTIFACT,
  CHANGESET,
  LOST_ARTIFACT,
  NOBODY,
  NOTHING,
  PROJECT,
  REPORT,
  type Subject,
  TRACKER,
  UNKNOWN_SECRET,
  USER,
} from './subjects.ts'

const ARCHIVE: Subject & { unknown: number } = { ...UNKNOWN_SECRET('id', 404), params: () => ({ id: NOBODY }) }

/** The artifact that is hidden by itself is of Gates, which only those administer who administer the project. */
const ITS_ADMIN: Right = (principal, state) => TRACKER_ADMIN(principal, state === 'T5' ? 'T3' : state)

const ACROSS = "SELECT @pretty_title, summary, @status FROM @project = 'self' WHERE @id > 0 ORDER BY @title"

/** The rows of the table of rights for the routes on artifacts. */
export const RIGHTS_ON_ARTIFACTS: Record<string, Row> = {
  listArtifacts: { subject: TRACKER, right: EVERYONE, query: 'values=all' },
  followArtifacts: { subject: TRACKER, right: EVERYONE, query: 'fields=title,values', formats: ['stream'] },
  countGroups: { subject: TRACKER, right: EVERYONE, query: 'by=is_open,@submitted_by' },
  listReportArtifacts: { subject: REPORT, right: EVERYONE, query: 'values=all' },
  writeArtifacts: {
    subject: TRACKER,
    right: SIGNED_IN,
    body: new Lines([{ op: 'create', values_by_field: { summary: { value: 'Valve rattles' } } }]),
    formats: ['json'],
  },
  createArtifact: {
    subject: NOTHING,
    right: SIGNED_IN,
    body: { tracker: { id: BUGS }, values_by_field: { summary: { value: 'Valve rattles' } } },
    otherwise: (principal) => (principal === 'P2' ? 404 : undefined),
  },
  getArtifact: { subject: ARTIFACT, right: EVERYONE, query: 'values_format=all&tracker_structure_format=complete' },
  updateArtifact: {
    subject: ARTIFACT,
    right: SIGNED_IN,
    body: { comment: { body: 'Seen again', format: 'text' } },
    otherwise: frozen,
  },
  moveArtifact: {
    subject: ARTIFACT,
    right: SIGNED_IN,
    body: { move: { tracker_id: GATES } },
    // Who administers only one of the trackers is told so by 400; and it goes nowhere where it is already.
    otherwise: (principal, state) =>
      state === 'T5' || state === 'T8' || !PROJECT_ADMIN(principal, state) ? 400 : undefined,
  },
  deleteArtifact: { subject: ARTIFACT, right: ITS_ADMIN, otherwise: frozen },
  restoreArtifact: { subject: LOST_ARTIFACT, right: SIGNED_IN },
  copyArtifact: { subject: ARTIFACT, right: SIGNED_IN, otherwise: frozen },
  listTrackerTrash: { subject: TRACKER, right: TRACKER_ADMIN },
  listProjectTrash: { subject: PROJECT, right: PROJECT_ADMIN },
  listTrash: { subject: NOTHING, right: SITE_ADMIN },
  listArchives: { subject: NOTHING, right: SITE_ADMIN },
  getArchive: { subject: ARCHIVE, right: SITE_ADMIN },
  getArchiveContent: { subject: ARCHIVE, right: SITE_ADMIN },
  listChangesets: { subject: ARTIFACT, right: EVERYONE },
  getChangeset: { subject: CHANGESET, right: EVERYONE },
  getArtifacts: { subject: NOTHING, right: EVERYONE, query: `query={"id":[${OPEN_BUG}]}` },
  listOwnArtifacts: { subject: USER, right: SELF, query: 'query={"submitted_by":true}' },
  queryAcrossTrackers: {
    subject: NOTHING,
    right: EVERYONE,
    query: `query=${encodeURIComponent(JSON.stringify({ project_id: ORCHARD, tql_query: ACROSS }))}`,
    otherwise: (principal) => (principal === 'P2' ? 400 : undefined), // There is nothing for him to search.
  },
  listLinkNatures: { subject: ARTIFACT, right: EVERYONE },
  listLinkedArtifacts: { subject: ARTIFACT, right: EVERYONE, query: 'direction=forward' },
  setLinks: {
    subject: ARTIFACT,
    right: SIGNED_IN,
    body: { all_links: [] },
    // Only Bugs has links at all.
    otherwise: (principal, state) =>
      ['T2', 'T3', 'T8'].includes(state) && principal !== 'P9' && ARTIFACT.sees(principal, state) ? 400 : undefined,
  },
  listUsedLinkTypes: { subject: TRACKER, right: EVERYONE },
  listParentArtifacts: { subject: TRACKER, right: EVERYONE },
}

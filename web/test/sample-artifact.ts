import type { Artifact } from '@waypost/sdk/api'

const PERSON = {
  id: 1,
  uri: '',
  user_url: '',
  real_name: '',
  display_name: '',
  username: '',
  ldap_id: '',
  avatar_url: '',
  is_anonymous: false,
  has_avatar: false,
}
const PROJECT = { id: 1, uri: '', label: '', icon: '' }

/** An artifact for tests of lists. */
export function sampleArtifact(id: number, title = `Number ${id}`): Artifact {
  const tracker = { id: 1, uri: '', label: '', color_name: '', project: PROJECT, cannot_create_reasons: null }
  const made = { submitted_by: 1, submitted_by_user: PERSON, submitted_on: '' }
  const changed = { last_update_by: 1, last_update_by_user: PERSON, last_modified_date: '' }
  const state = { status: '', full_status: null, is_open: true, assignees: [], values: [], values_by_field: null }
  const addresses = { uri: '', xref: '', html_url: '', changesets_uri: '' }
  return { id, title, tracker, project: PROJECT, ...addresses, ...made, ...changed, ...state }
}

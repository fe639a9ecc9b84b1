const FOR_PROGRAMS = 'for programs: pages have the same in another call'
const IN_CHUNKS = 'for programs: pages upload by the resumable protocol'
const ALWAYS_EMPTY = 'always empty, for clients of another product'
const BY_DEFINITION = 'for programs: pages write the whole definition'
const BY_MAIL = 'the link of a mail leads to a page of the server'

/** Operations that no page calls, and never shall: the reason for each. */
export const OPERATIONS_FOR_PROGRAMS: Readonly<Record<string, string>> = {
  getIndex: 'for programs: the begin of the discovery',
  getAccessKey: FOR_PROGRAMS,
  createToken: 'deprecated',
  deleteToken: 'deprecated',
  deleteTokens: 'deprecated',
  replaceGroupUsers: 'for programs: pages add and remove single people',
  listLabels: 'deprecated: trackers have lists of their own',
  extractReferences: 'for programs: the server links the references of texts',
  listGitRepositories: ALWAYS_EMPTY,
  listMilestones: ALWAYS_EMPTY,
  listPlannings: ALWAYS_EMPTY,
  listBacklog: ALWAYS_EMPTY,
  updateTrackerWorkflow: BY_DEFINITION,
  deleteTrackerField: BY_DEFINITION,
  createTransition: BY_DEFINITION,
  getTransition: BY_DEFINITION,
  updateTransition: BY_DEFINITION,
  deleteTransition: BY_DEFINITION,
  getTransitionActions: BY_DEFINITION,
  setTransitionActions: BY_DEFINITION,
  getLinkType: FOR_PROGRAMS,
  getProjectLinkType: FOR_PROGRAMS,
  getRank: FOR_PROGRAMS,
  getIdentityProvider: FOR_PROGRAMS,
  getDirectory: FOR_PROGRAMS,
  endSessionsByProvider: 'for providers, which send notices',
  listImports: 'for programs that bring the history of another system',
  beginImport: 'for programs that bring the history of another system',
  getImport: 'for programs that bring the history of another system',
  finishImport: 'for programs that bring the history of another system',
  importItems: 'for programs that bring the history of another system',
  getChangeset: 'for programs: the list of versions has the same',
  listLinkNatures: 'for programs: the artifact has its links',
  listLinkedArtifacts: 'for programs: the artifact has its links',
  setLinks: 'for programs: the artifact has its links',
  getArchive: FOR_PROGRAMS,
  getArtifactFile: 'for programs: pages show files by their own address',
  createTemporaryFile: IN_CHUNKS,
  listTemporaryFiles: IN_CHUNKS,
  appendChunk: IN_CHUNKS,
  getTemporaryFile: IN_CHUNKS,
  deleteTemporaryFile: IN_CHUNKS,
  getWebhook: FOR_PROGRAMS,
  listNotifications: 'for programs: pages show the same as threads',
  deleteNotification: 'for programs: pages mark entries as read, which can be undone',
  updateNotification: 'for programs: pages mark the entries of a thread together',
  getUnsubscription: BY_MAIL,
  unsubscribe: BY_MAIL,
}

/** Operations that people need and that no page calls yet: what is missing. */
export const OPERATIONS_WITHOUT_PAGE_YET: Readonly<Record<string, string>> = {}

import bugs from './bugs.json' with { type: 'json' }
import requirements from './requirements.json' with { type: 'json' }
import risks from './risks.json' with { type: 'json' }
import scrum from './scrum.json' with { type: 'json' }
import support from './support.json' with { type: 'json' }
import tasks from './tasks.json' with { type: 'json' }

/** A tracker that can be created by name. The document beside this file is a definition, as `docs/trackers.md` describes it. */
interface TrackerTemplate {
  readonly name: string
  readonly definition: object
}

/** The templates, in the order of the gallery. */
export const TRACKER_TEMPLATES: readonly TrackerTemplate[] = [
  { name: 'bugs', definition: bugs },
  { name: 'tasks', definition: tasks },
  { name: 'scrum', definition: scrum },
  { name: 'requirements', definition: requirements },
  { name: 'risks', definition: risks },
  { name: 'support', definition: support },
]

export const TEMPLATE_NAMES: readonly string[] = TRACKER_TEMPLATES.map(({ name }) => name)

export function findTrackerTemplate(name: string): TrackerTemplate | undefined {
  return TRACKER_TEMPLATES.find((each) => each.name === name)
}

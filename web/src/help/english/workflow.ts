import type { HelpTopic } from '../help-topic.ts'

export const WORKFLOW_HELP: HelpTopic = {
  title: 'Workflow',
  lead: 'A workflow defines which status may follow which, who may change it, and what happens then.',
  sections: [
    {
      title: 'Change a status',
      text: 'Click the status, press `s` on a row, a card or an artifact, or drag a card of the board. A status that is not allowed stays visible, dimmed, with the reason. You can undo a change if the workflow allows the way back.',
    },
    {
      title: 'Conditions',
      text: 'A transition can require a comment, a value in certain fields, or membership in a group. The picker and the board name the condition that is not met.',
    },
    {
      title: 'Automatic actions',
      text: 'A transition can set a date or a number, such as the day on which an artifact was closed, and call an address of another system. In a state, certain fields can be protected against changes, and groups of fields can be hidden.',
    },
    {
      title: 'Define a workflow',
      text: 'Administrators of a tracker open its administration, then Workflow. The graph shows all states and transitions; the table below it has a check box for each transition. Changes are planned first: before they apply, you see how many artifacts they affect. A tracker from a template has a workflow that you can change.',
    },
    {
      title: 'Rules beside the workflow',
      text: 'Under Rules, the values of one list can depend on another list, and two dates can be compared, such as start and end. A trigger sets a value of a parent when one or all of its children reach a state.',
    },
  ],
}

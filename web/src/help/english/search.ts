import type { HelpTopic } from '../help-topic.ts'

export const SEARCH_HELP: HelpTopic = {
  title: 'Search',
  lead: 'Find artifacts, people, trackers and projects by the beginnings of words.',
  sections: [
    {
      title: 'The palette',
      text: '`Ctrl K` or `/` opens the palette on every screen. It answers while you type, and shows first what you have opened recently. It searches the current project; Backspace in the empty field removes the project.',
      rows: [
        { code: 'pump le', meaning: 'Titles, texts and comments with words that begin so', runs: 'search' },
        { code: '"pump leaks"', meaning: 'These words next to each other', runs: 'search' },
        { code: '105', meaning: 'The artifact with this id', runs: 'search' },
        { code: 'bug #105', meaning: 'The same, as it is written in texts', runs: 'search' },
        { code: '#105', meaning: 'Only artifacts with this id', runs: 'search' },
        { code: '@mara', meaning: 'Only people' },
        { code: '> new', meaning: 'Only actions, such as a new artifact' },
      ],
    },
    {
      title: 'How words match',
      text: 'All words must match, in any order. Upper and lower case and accents make no difference. Words of one or two letters are searched in titles and names only. You find only what you may read.',
    },
    {
      title: 'The search page',
      text: '`Ctrl Enter` in the palette opens all results of the same words; `g f` opens the page from every screen. Filters narrow the results by project, tracker, status, assignee and date, and show how many results each value has. Files are found by name, commits by message. The address of the page holds words and filters, so you can share it. Other people see the results that they may read.',
    },
    {
      title: 'In a table',
      text: 'Plain words in the filter of a table find artifacts whose title or text contains all of them. For conditions on fields, use the query language.',
    },
  ],
}

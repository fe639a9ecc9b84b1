import type { HelpTopic } from '../help-topic.ts'

export const KEYS_HELP: HelpTopic = {
  title: 'Keys',
  lead: 'Everything works by keyboard. `?` shows these keys on every screen.',
  sections: [
    {
      title: 'How keys work',
      text: 'Single letters work while no input has the focus. Keys such as `g h` are pressed one after the other. In dialogs and menus, Enter confirms and Escape closes. On a Mac, Command works as Ctrl.',
    },
    {
      title: 'Beside a list',
      text: 'Space on a row, a card or a result shows the artifact beside the list; on a wide screen the list makes room. `j` and `k` go on, and the panel follows. Values can be changed there, `m` writes a comment, Enter opens the page, Escape closes the panel. Tab leads from the list into the panel.',
    },
    {
      title: 'In a picker',
      text: 'Typing narrows the values. Arrow keys move, Enter applies, Space chooses several values, Escape leaves the value as it was.',
    },
  ],
}

import { Link, useParams } from '@tanstack/react-router'
import { ENGLISH_HELP } from './english-help.ts'
import { GERMAN_HELP } from './german-help.ts'
import { PageLayout, Panel } from '../design/page.tsx'
import tabs from '../design/tabs.module.css'
import { language } from '../messages/language.ts'
import { text } from '../messages/text.ts'
import { ShortcutKeys } from '../shell/shortcut-keys.tsx'
import styles from './help-page.module.css'
import { HELP_TOPICS, type HelpContents, type HelpRow, isHelpTopic } from './help-topic.ts'

const CONTENTS: HelpContents = { en: ENGLISH_HELP, de: GERMAN_HELP }[language]

/** One page of help, with links to the others. */
export function HelpPage() {
  const { topic: name } = useParams({ from: '/shell/help/$topic' })
  if (!isHelpTopic(name)) return null // The route redirects.
  const { title, lead, sections } = CONTENTS[name]
  return (
    <PageLayout title={title}>
      <nav aria-label={text('nav.help')} className={tabs['tabs']}>
        {HELP_TOPICS.map((topic) => (
          <Link key={topic} to="/help/$topic" params={{ topic }}>
            {CONTENTS[topic].title}
          </Link>
        ))}
      </nav>
      <p>
        <WithCode>{lead}</WithCode>
      </p>
      {sections.map((section) => (
        <Panel key={section.title} title={section.title}>
          {section.text !== undefined && (
            <p className={styles['text']}>
              <WithCode>{section.text}</WithCode>
            </p>
          )}
          {section.rows && <HelpRows rows={section.rows} />}
        </Panel>
      ))}
      {name === 'keys' && (
        <Panel title={text('shortcuts')}>
          <ShortcutKeys />
        </Panel>
      )}
    </PageLayout>
  )
}

function HelpRows({ rows }: { readonly rows: readonly HelpRow[] }) {
  return (
    <dl className={styles['rows']}>
      {rows.map(({ code, meaning }) => (
        <div key={code}>
          <dt>
            <code>{code}</code>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Text between backticks as code. */
function WithCode({ children }: { readonly children: string }) {
  return children.split('`').map((part, index) =>
    // The parts of a text have no other key than their place.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
}

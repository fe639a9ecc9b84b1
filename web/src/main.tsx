// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to name
import './design/document.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { language, locale } from './messages/language.ts'
import { setTranslation } from './messages/text.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

document.documentElement.lang = language
// React Aria reads its locale here; its provider would add 3 kB to the first screen.
Reflect.set(window, Symbol.for('react-aria.i18n.locale'), locale)
void start()

async function start(): Promise<void> {
  if (language === 'de') setTranslation((await import('./messages/german.ts')).GERMAN)
  const place = document.getElementById('root')
  if (!place) throw new Error('The page has lost its root.')
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

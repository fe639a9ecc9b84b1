import type { SignInOptions } from '@waypost/sdk/api'
import { ShieldCheck } from 'lucide-react'
import { buttonClass } from '../design/button.tsx'
import styles from './door.module.css'
import { text } from './identity-messages.ts'
import { loadLastProvider, providerHref, sortProviders, storeLastProvider } from './sign-in-options.ts'

interface Props {
  readonly options: SignInOptions
  readonly returnTo: string
}

/** A button for each provider; the one that was used last is first, and the main one of the screen. */
export function SignInProviders({ options: { providers, password }, returnTo }: Props) {
  const last = loadLastProvider()
  const sorted = sortProviders(providers, last)
  return (
    <>
      <ul className={styles['providers']}>
        {sorted.map((provider, index) => {
          const isLast = provider.name === last
          const isMain = isLast || (!password && index === 0)
          return (
            <li key={provider.name}>
              <a
                className={buttonClass(isMain ? 'primary' : 'plain')}
                href={providerHref(provider, returnTo)}
                onClick={() => storeLastProvider(provider.name)}
              >
                <ShieldCheck size={16} aria-hidden="true" />
                {text('sign_in.with', { provider: provider.label })}
              </a>
              {isLast && sorted.length > 1 && <p className={styles['last']}>{text('sign_in.last')}</p>}
            </li>
          )
        })}
      </ul>
      {password && <p className={styles['or']}>{text('sign_in.or')}</p>}
    </>
  )
}

/** One chunk: each dynamic import of its own would add to the first screen. */
export { ConfirmEmailPage } from './confirm-email-page.tsx'
export { InvitationPage } from './invitation-page.tsx'
export { RegisterPage } from './register-page.tsx'
export { ResetPasswordPage } from './reset-password-page.tsx'

import type { PasswordResetActivities } from '../../../workflows/identity/password-reset/password-reset.contract';
import { steps, type DbDeps } from '../../steps';
import { mailPasswordReset } from './mail-password-reset';

export const passwordResetActivities = (deps: DbDeps): PasswordResetActivities =>
  steps<PasswordResetActivities, DbDeps>(deps, { mailPasswordReset });

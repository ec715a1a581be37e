import type { Db } from '../../../db/sql/query';
import type { PasswordResetActivities } from '../../../workflows/identity/password-reset/password-reset.contract';
import { mailPasswordReset } from './mail-password-reset';

export const passwordResetActivities = ({ db }: { db: Db }): PasswordResetActivities => ({
  mailPasswordReset: mailPasswordReset(db),
});

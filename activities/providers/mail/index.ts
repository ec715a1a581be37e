import type { ProvidersConfig } from '../config';
import { fileMail } from './file';
import type { MailProvider } from './port';
import { smtpMail } from './smtp';

/** The configured mail driver. Throws when its configuration is incomplete. */
export function mailProvider({
  MAIL_DRIVER,
  MAIL_DIR,
  MAIL_FROM: from,
  SMTP_URL: url,
}: Pick<ProvidersConfig, 'MAIL_DRIVER' | 'MAIL_DIR' | 'MAIL_FROM' | 'SMTP_URL'>): MailProvider {
  if (MAIL_DRIVER === 'file') return fileMail(MAIL_DIR);
  if (url === undefined) throw new Error('MAIL_DRIVER=smtp needs SMTP_URL.');
  return smtpMail({ url, from });
}

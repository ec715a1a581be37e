import type { ProvidersConfig } from '../config';
import { fileMail } from './file';
import type { MailProvider } from './port';

/** The way out for mail that is configured. */
export const mailProvider = ({ MAIL_DIR }: Pick<ProvidersConfig, 'MAIL_DIR'>): MailProvider =>
  fileMail(MAIL_DIR);

import { putMessage } from '../message-folder';
import type { MailProvider } from './port';

/** Puts each mail into a folder, as a file for a developer or a test to read. */
export const fileMail = (folder: string): MailProvider => ({
  send: ({ id, ...mail }) => putMessage(folder, id, mail),
});

import { Undeliverable } from '../undeliverable';

/** What a person is to read. */
export interface Mail {
  /** Our message's id. A mail may be handed over twice; a driver that can tell, shows it once. */
  id: string;
  /** One address, without a name. */
  to: string;
  /** One line. */
  subject: string;
  text: string;
  html: string;
  /** The single-use secret that the mail carries, if any. */
  token?: string;
  code?: string;
}

export interface MailProvider {
  /** Resolves when the mail is in safe hands. A thrown UndeliverableMail is final; any other error may pass. */
  send: (mail: Mail) => Promise<void>;
}

/** No try will ever deliver this mail. */
export class UndeliverableMail extends Undeliverable {}

const ONE_ADDRESS = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/;
// Control characters end a header line, and with it our say in what the next header is.
const CONTROL = /\p{Cc}/u;

/** Refuses what would be read as several recipients or as further headers. */
export function assertDeliverable({ to, subject }: Mail): void {
  if (!ONE_ADDRESS.test(to) || CONTROL.test(to))
    throw new UndeliverableMail('The recipient is not one address.');
  if (CONTROL.test(subject)) throw new UndeliverableMail('The subject is not one line.');
}

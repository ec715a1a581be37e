import type { SentReport, Sender } from '../body/sender';

/** As much of a report as is needed to keep it; what it says is judged by the process that applies it. */
export interface ReadReport {
  externalEventId: string;
  type: string;
  /** Whether anything is to be made of it. */
  known: boolean;
  body: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  bodyHash: string;
}

/** How one provider signs and words its reports. */
export interface Intake extends Pick<Sender, 'isSigned'> {
  /** Reads what was signed. Refuses with VALIDATION_ERROR what is not of the provider's form. */
  read: (sent: SentReport) => ReadReport;
}

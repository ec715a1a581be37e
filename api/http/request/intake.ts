import type { ReportFacts } from '../../../workflows/commerce/webhook/report-subject.rules';
import type { SentReport, ReportSender } from '../body/sender';

/** The fields of a report that are needed to store it. The process that applies it interprets the rest. */
export interface ReadReport extends ReportFacts {
  externalEventId: string;
  type: string;
  /** True if the platform has a use for reports of this type. */
  known: boolean;
  body: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  bodyHash: string;
}

/** Verifies and reads the reports of one provider. */
export interface Intake extends Pick<ReportSender, 'isSigned' | 'perMinute'> {
  /** Reads a verified report. Refuses with VALIDATION_ERROR one that is not in the provider's format. */
  read: (sent: SentReport) => ReadReport;
}

/** The intake of an investment provider by its code; null for one that is unknown or not active. */
export type ProviderIntake = (code: string) => Promise<Intake | null>;

import { readReportText } from '../../../workflows/investment/provider-event/report-text.rules';
import { Inapplicable } from './inapplicable';

/** The JSON value of a report's body. Throws Inapplicable where it is none, or one that the database cannot hold. */
export function readBody(body: string): unknown {
  const read = readReportText(body);
  if ('reason' in read) throw new Inapplicable(read.reason);
  return read.value;
}

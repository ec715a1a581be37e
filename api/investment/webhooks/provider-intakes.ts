import { allProviders, providerSecrets } from '../../../db/investment/provider/provider.reads';
import type { KeyRing } from '../../../db/sealing/key-ring';
import type { Db } from '../../../db/sql/query';
import {
  factsOfEvent,
  isKnownEvent,
} from '../../../workflows/investment/provider-event/provider-event.rules';
import { readReportText } from '../../../workflows/investment/provider-event/report-text.rules';
import type { Intake, ProviderIntake } from '../../http/request/intake';
import { invalid } from '../../http/validation/validation';
import { standardIntake } from '../../webhooks/standard';
import { Remembered } from './remembered';

/**
 * Standard Webhooks whose text the database can read as JSON. Reads refuse VALIDATION_ERROR for another, which nobody could
 * search for whom it is about.
 */
function signedBy(accepted: readonly string[]): Intake {
  const intake = standardIntake(accepted, { isKnown: isKnownEvent, factsOf: factsOfEvent });
  return {
    ...intake,
    read(sent) {
      const report = intake.read(sent);
      const read = readReportText(report.body);
      if ('reason' in read) throw invalid({ body: [read.reason] });
      return report;
    },
  };
}

/**
 * The intakes of investment providers. A burst of reports reads a provider and opens its secrets once in two seconds: as
 * long may a secret that was taken away still be accepted. A report that is not signed by what is remembered, or names a
 * provider that is not known, is compared with what is stored now, so that a new secret is accepted at once. Anybody can
 * send such reports, so it is read for them ten times a second at most: for each provider, and for all unknown ones.
 */
export function providerIntakes(db: Db, keys: KeyRing): ProviderIntake {
  const providers = new Remembered(async () => {
    const active = (await allProviders(db)).filter(({ isActive }) => isActive);
    return new Map(active.map((provider) => [provider.code, provider]));
  });
  const secrets = new Map<string, Remembered<string[]>>();

  const secretsOf = (code: string): Remembered<string[]> => {
    const held =
      secrets.get(code) ?? new Remembered(() => providerSecrets(db, keys, code, 'WEBHOOK', new Date()));
    secrets.set(code, held);
    return held;
  };
  const intakeOf = async (code: string): Promise<Intake | null> => {
    const provider = (await providers.current()).get(code) ?? (await providers.renewed()).get(code);
    if (!provider) return null;
    const held = secretsOf(code);
    return {
      ...signedBy([]),
      perMinute: provider.webhooksPerMinute,
      isSigned: async (sent, now) =>
        (await signedBy(await held.current()).isSigned(sent, now)) ||
        (await signedBy(await held.renewed()).isSigned(sent, now)),
    };
  };
  return intakeOf;
}

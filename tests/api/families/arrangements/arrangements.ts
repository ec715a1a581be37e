import { v7 } from 'uuid';
import { Webhook } from 'standardwebhooks';
import { latestToken, owedMessages } from '../../../support/checks/mail';
import { eventually } from '../../../support/checks/eventually';
import { firstRow } from '../../../../db/sql/query';
import { bankName } from '../../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { make } from '../../../support/builders/make';
import { collected, statusReport } from '../../../support/builders/payouts/bank-files';
import { password, registered } from '../../../support/builders/registering';
import { forgotten } from '../../../support/builders/resetting';
import type { Ground, Person } from '../../../support/resources/ground';
import { testVariables } from '../../../support/worlds/variables';
import type { Arrange, Arranged } from './arranged';
import { someEmail, somePhone } from './values';

const mailedCode = ({ world }: Ground, recipient: string): Promise<string> =>
  eventually(async () => {
    const messages = await owedMessages(world.db, 'recipient = $1', [recipient]);
    return messages.findLast(({ code }) => code !== null)!.code!;
  });

/** Begins two-factor sign-in by email; gives the code that was sent. */
async function secondFactorBegun(ground: Ground, as: Person): Promise<string> {
  await ground.post('/auth/2fa/setup', { method: 'EMAIL' }, as);
  return mailedCode(ground, as.user.email);
}

const secondFactorOn = async (ground: Ground, as: Person): Promise<Record<string, unknown>> =>
  ground.post('/auth/2fa/verify', { code: await secondFactorBegun(ground, as) }, as);

/** A report that its sender has signed. */
function signed(type: string, data: object, secret: string): Arranged {
  const [id, at] = [v7(), new Date()];
  const text = JSON.stringify({ type, timestamp: at.toISOString(), data });
  return {
    sending: (request) =>
      request
        .set('content-type', 'application/json')
        .set('webhook-id', id)
        .set('webhook-timestamp', String(Math.floor(at.getTime() / 1000)))
        .set('webhook-signature', new Webhook(secret).sign(id, at, text))
        .send(text),
  };
}

const COLUMNS = 'sku,name,description,price,status,commissionPercentage,careerPointsPercentage';

/** The parts of requests that no schema can say, by the id of the operation: a signature, a mailed code, the text of a file. */
export const arrangements: Readonly<Record<string, Arrange>> = {
  register: () => ({ body: { email: someEmail(), phone: somePhone(), password } }),
  verifyEmail: async ({ world }) => ({ body: { token: (await registered(world)).token } }),
  resendVerification: async ({ world }) => ({ body: { email: (await registered(world)).email } }),
  resetPassword: async ({ world }, { user }) => ({
    body: { token: await forgotten(world, user.email), password, confirmPassword: password },
  }),
  changePassword: () => ({ body: { password, confirmPassword: password } }),
  undoAccountChange: async (ground, as) => {
    await secondFactorOn(ground, as);
    return { body: { token: await latestToken(ground.world.db, as.user.email) } };
  },
  enableTwoFactor: async (ground, as) => ({ body: { code: await secondFactorBegun(ground, as) } }),
  disableTwoFactor: async (ground, as) => {
    const { backupCodes } = await secondFactorOn(ground, as);
    return { body: { code: (backupCodes as string[])[0] } };
  },
  verifyPhone: async (ground, as) => {
    const phone = somePhone();
    await ground.post('/users/me/phone', { phone }, as);
    return { body: { code: await mailedCode(ground, phone) } };
  },
  importProducts: () => {
    const file = Buffer.from(`${COLUMNS}\nFAMILY-${v7()},A,B,1,DRAFT,0,0\n`);
    return { sending: (request) => request.attach('file', file, 'products.csv') };
  },
  makeBankFile: async ({ world }) => {
    await collected(world.db);
    return {};
  },
  enterBankReport: async ({ world }, _, { id = '' }) => {
    const sent = await firstRow<{ id: string }>(
      world.db,
      'SELECT id FROM bank_file_transfers WHERE file_id = $1 LIMIT 1',
      [id],
    );
    const report = statusReport(id, [{ transfer: bankName(sent!.id), status: 'ACSC' }]);
    return { sending: (request) => request.attach('file', report, 'report.xml') };
  },
  receivePaymentReport: () => signed('payment.seen', { key: v7() }, testVariables['SANDBOX_SECRET']!),
  receiveProviderReport: async ({ world }) => {
    const { code, webhookSecret } = await make.provider(world.db);
    return { params: { providerCode: code }, ...signed('investment.seen', {}, webhookSecret) };
  },
};

/** Operations whose success requires what this world lacks, and the test that shows it instead. */
export const notArranged: Readonly<Record<string, string>> = {
  startExternalSignIn: 'needs an identity provider: tests/api/auth/external',
  finishExternalSignIn: 'needs an identity provider: tests/api/auth/external',
  finishExternalSignInByForm: 'needs an identity provider: tests/api/auth/external',
};

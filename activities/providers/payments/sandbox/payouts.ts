import { v7 } from 'uuid';
import {
  sandboxTransferBy,
  type SandboxTransferRow,
} from '../../../../db/commerce/sandbox/sandbox-transfer.reads';
import {
  insertSandboxTransfer,
  takeLostAnswer,
} from '../../../../db/commerce/sandbox/sandbox-transfer.writes';
import type { Db } from '../../../../db/sql/query';
import { destinationNumber } from '../../../../workflows/commerce/payout/destination.rules';
import { PAYOUT_METHODS } from '../../../../workflows/identity/user/user.rules';
import type { PayoutProvider, TransferFate, TransferOrder } from '../../payouts/port';

/**
 * The ends of accounts and cards that refuse every transfer, of those where the answer to the first one is lost, and of
 * those whose transfers stay under way until somebody ends them on the sandbox's page.
 */
const REFUSES = '0000';
const LOSES_ANSWER = '9999';
const TAKES_TIME = '8888';

/**
 * The sandbox's bank, with rows of its own. It stores no destinations. A transfer to an account or card that ends in 0000 is
 * refused; of one that ends in 9999 the first answer is lost, and a look-up finds it; one to 8888 stays under way until it
 * is ended on the sandbox's page; every other one arrives. The page can also make any next answer be lost.
 */
export const sandboxPayouts = (db: Db): PayoutProvider => ({
  code: 'sandbox',
  methods: PAYOUT_METHODS,
  // A call is one statement. What is under way here is never forgotten, see the sandbox's retention.
  certainAfterMs: 30_000,
  remembersForMs: null,

  async sendTransfer(order) {
    const number = destinationNumber(order.destination);
    const { known, isNew } = await recordedTransfer(db, order, statusFor(number));
    if (isNew && number.endsWith(LOSES_ANSWER)) throw noAnswer();
    if (!isNew && (await takeLostAnswer(db, order.key))) throw noAnswer();
    return known.status === 'REFUSED' ? refused : { status: 'accepted' };
  },

  async lookUpTransfer(key) {
    if (await takeLostAnswer(db, key)) throw noAnswer();
    const known = await sandboxTransferBy(db, key);
    return known && fateOf(known);
  },
});

type Status = SandboxTransferRow['status'];

function statusFor(number: string): Status {
  if (number.endsWith(REFUSES)) return 'REFUSED';
  return number.endsWith(TAKES_TIME) ? 'UNDER_WAY' : 'ARRIVED';
}

const noAnswer = (): Error => new Error('The sandbox did not answer.');

const refused = { status: 'refused', reason: 'The account takes no transfers.' } as const;

function fateOf({ status, id, amountMinor, copies }: SandboxTransferRow): TransferFate {
  if (status === 'REFUSED') return refused;
  if (status === 'UNDER_WAY') return { status: 'under way' };
  return { status: 'arrived', transferId: id, amountMinor: amountMinor * copies };
}

/** The transfer under a key. Throws when the key is of another transfer. */
async function recordedTransfer(
  db: Db,
  { key, amountMinor, currency }: TransferOrder,
  status: Status,
): Promise<{ known: { status: Status }; isNew: boolean }> {
  if (await insertSandboxTransfer(db, { key, id: v7(), amountMinor, currency, status }))
    return { known: { status }, isNew: true };
  const known = await sandboxTransferBy(db, key);
  if (known?.amountMinor !== amountMinor || known.currency !== currency)
    throw new Error(`The key ${key} is of another transfer.`);
  return { known, isNew: false };
}

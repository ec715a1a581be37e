import { v7 } from 'uuid';
import { sandboxPayouts } from '../../../activities/providers/payments/sandbox/payouts';
import { transfersAddress } from '../../../api/sandbox/transfers/address';
import { pageAddress } from '../../../api/sandbox/transfers/print-address';
import { ownWorld, startWorld } from '../../support/worlds/world';
import { setVariables, testVariables } from '../../support/worlds/variables';

const secret = testVariables['SANDBOX_SECRET']!;
/** Its transfers stay under way until somebody ends them. */
const SLOW_CARD = '4000000000008888';

const world = ownWorld();

const bank = () => sandboxPayouts(world.db);
const orderTo = (cardNumber: string) => ({
  ...{ key: v7(), amountMinor: 123_450, currency: 'USD' },
  destination: { method: 'CARD' as const, accountHolder: 'Ada Lovelace', cardNumber },
});
type Order = ReturnType<typeof orderTo>;

const address = (by = secret) => new URL(transfersAddress('http://shop.test', by));
const open = ({ pathname, search } = address()) => world.http.get(pathname + search);
const press = ({ key }: { key: string }, button: string, { pathname, search } = address()) =>
  world.http.post(`${pathname}/${encodeURIComponent(key)}/${button}${search}`);
/** Presses a button as a browser does, and answers what the page says then. */
const pressed = async (order: { key: string }, button: string): Promise<string> =>
  /<p>(.*?)<\/p>/.exec((await press(order, button).redirects(1).expect(200)).text)![1]!;

async function sent(cardNumber = SLOW_CARD): Promise<Order> {
  const order = orderTo(cardNumber);
  await bank().sendTransfer(order);
  return order;
}
const fate = async ({ key }: Order) => bank().lookUpTransfer(key);

describe('the page', () => {
  test('lists the transfers, newest first, with plain forms and no destination', async () => {
    const [first, second] = [await sent('4242424242424242'), await sent()];
    const { text } = await open().expect(200).expect('content-type', /html/);
    expect(text.indexOf(second.key)).toBeLessThan(text.indexOf(first.key));
    expect(text).toContain('USD 1,234.50'.replace(' ', '\u00a0'));
    expect(text).not.toMatch(/8888<|4242424242424242|Lovelace/);
    const [ofSecond = '', ofFirst = ''] = text.split('<section>').slice(1);
    const buttons = (part: string) =>
      [...part.matchAll(/<button type="submit">(.*?)</g)].map(([, label]) => label);
    expect(buttons(ofSecond)).toEqual(['Settle', 'Refuse', 'Settle twice', 'Lose the next answer']);
    expect(buttons(ofFirst)).toEqual(['Lose the next answer']);
  });

  test('is protected like the page of a payment', async () => {
    const { headers } = await open();
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test.each([
    ['none', ''],
    ['of another secret', address(`whsec_${Buffer.alloc(32, 1).toString('base64')}`).search],
    ['that is short', '?signature=abc'],
    ['that is sent twice', `${address().search}&signature=abc`],
  ])('a signature, %s, opens nothing and presses nothing', async (_, search) => {
    const order = await sent();
    const wrong = Object.assign(address(), { search });
    const { text } = await open(wrong).expect(403);
    expect(text).not.toContain(order.key);
    await press(order, 'settle', wrong).expect(403);
    expect(await fate(order)).toEqual({ status: 'under way' });
  });
});

describe('a transfer to an account that ends in 8888', () => {
  test('is under way until it is settled', async () => {
    const order = await sent();
    expect(await fate(order)).toEqual({ status: 'under way' });
    expect(await pressed(order, 'settle')).toContain('has arrived');
    expect(await fate(order)).toMatchObject({ status: 'arrived', amountMinor: 123_450 });
    expect(await pressed(order, 'refuse')).toContain('had arrived before');
    expect(await fate(order)).toMatchObject({ status: 'arrived' });
  });

  test('or until it is refused', async () => {
    const order = await sent();
    expect(await pressed(order, 'refuse')).toContain('is refused');
    expect(await fate(order)).toMatchObject({ status: 'refused' });
    expect(await bank().sendTransfer(order)).toMatchObject({ status: 'refused' });
    expect(await pressed(order, 'settle-twice')).toContain('was refused before');
  });

  test('settled twice, it has brought twice the money', async () => {
    const order = await sent();
    expect(await pressed(order, 'settle-twice')).toContain('paid this transfer twice');
    expect(await fate(order)).toMatchObject({ status: 'arrived', amountMinor: 246_900 });
    expect((await open()).text).toContain('paid twice');
  });

  test('of ten presses at once one decides', async () => {
    const order = await sent();
    const buttons = ['settle', 'refuse', 'settle-twice', 'settle', 'refuse'];
    const answers = await Promise.all(
      [...buttons, ...buttons].map((button) => press(order, button).expect(303)),
    );
    const outcomes = answers.map(({ headers }) => /outcome=(.*)/.exec(String(headers['location']))![1]!);
    expect(outcomes.filter((outcome) => !outcome.startsWith('ALREADY'))).toHaveLength(1);
  });
});

test('the next answer is lost once, to a look-up and to a transfer that is sent again', async () => {
  const order = await sent('4242424242424242');
  expect(await pressed(order, 'lose-answer')).toContain('is lost');
  expect((await open()).text).toContain('The next answer is lost.');
  await expect(fate(order)).rejects.toThrow('did not answer');
  expect(await fate(order)).toMatchObject({ status: 'arrived' });
  await press(order, 'lose-answer');
  await expect(bank().sendTransfer(order)).rejects.toThrow('did not answer');
  expect(await bank().sendTransfer(order)).toEqual({ status: 'accepted' });
});

test.each(['unknown', `${v7()}:2`, 'a\0b', 'x'.repeat(200), '<b>'])(
  'a press on a transfer that there is not (%j) changes nothing',
  async (key) => {
    for (const button of ['settle', 'lose-answer'])
      expect(await pressed({ key }, button)).toContain('does not know this transfer');
  },
);

test('where another provider sends money out, the page is not there', async () => {
  const other = await startWorld({ variables: { PAYOUT_PROVIDER: 'bank' } });
  try {
    await other.http.get(address().pathname + address().search).expect(404);
  } finally {
    await other.teardown();
  }
});

test('operators print the address of the page', () => {
  setVariables({ SANDBOX_SECRET: secret, PUBLIC_URL: 'https://shop.test/' });
  expect(pageAddress()).toBe(transfersAddress('https://shop.test', secret));
  setVariables({ SANDBOX_SECRET: 'short' });
  expect(pageAddress).toThrow('SANDBOX_SECRET');
});

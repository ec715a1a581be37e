import { gatedFile } from '../../../../api/mlm/commissions/commission-file';
import { FileGate } from '../../../../api/http/limits/file-gate';
import { Busy, type GateLimits } from '../../../../api/http/limits/gate';

const LIMITS: GateLimits = { slots: 2, queueLength: 0, deadlineMs: 100 };
const gate = new FileGate(LIMITS);

/** A file of two chunks that this user has asked for. */
function file(id: string, of = gate, clientGone = new AbortController().signal): AsyncGenerator<string> {
  async function* chunks(): AsyncGenerator<string> {
    yield await Promise.resolve('one');
    yield await Promise.resolve('two');
  }
  const context = { caller: { id }, request: { clientGone } } as unknown as Parameters<typeof gatedFile>[1];
  return gatedFile(of, context, () => Promise.resolve(chunks()));
}

test('a user who reads slowly has one slot: the second file is refused where nobody may wait, and others get theirs', async () => {
  const slow = file('a');
  expect(await slow.next()).toEqual({ value: 'one', done: false });
  await expect(file('a').next()).rejects.toThrow(Busy);
  const other = file('b');
  expect(await other.next()).toEqual({ value: 'one', done: false });
  // The one that was refused has not freed the slot of the first.
  await expect(file('a').next()).rejects.toThrow(Busy);
  await slow.return(undefined);
  const next = file('a');
  expect(await next.next()).toEqual({ value: 'one', done: false });
  for (const open of [other, next]) await open.return(undefined);
});

test('who gave up waiting, and whose file is read to its end, may ask again', async () => {
  const open = [file('c'), file('d')];
  for (const one of open) await one.next();
  await expect(file('e').next()).rejects.toThrow(Busy);
  for (const one of open) for await (const chunk of one) expect(chunk).toBe('two');
  for (const id of ['c', 'e']) {
    const again = file(id);
    expect((await again.next()).value).toBe('one');
    await again.return(undefined);
  }
});

test('the next files of a user wait for their turn, in the order of arrival, and take no place of others', async () => {
  const queued = new FileGate({ ...LIMITS, queueLength: 2, deadlineMs: 60_000 });
  const [first, ...later] = [file('f', queued), file('f', queued), file('f', queued)];
  expect((await first.next()).value).toBe('one');
  const order: number[] = [];
  const read = later.map(async (one, at) => {
    for await (const chunk of one) if (chunk === 'one') order.push(at);
  });
  await expect(file('f', queued).next()).rejects.toThrow(Busy);
  const other = file('g', queued);
  expect((await other.next()).value).toBe('one');
  await other.return(undefined);
  expect(order).toEqual([]);
  await first.return(undefined);
  await Promise.all(read);
  expect(order).toEqual([0, 1]);
});

test('a turn is over by the deadline, and by the caller who hangs up; both leave nothing behind', async () => {
  const queued = new FileGate({ ...LIMITS, queueLength: 1 });
  const slow = file('j', queued);
  await slow.next();
  await expect(file('j', queued).next()).rejects.toThrow(Busy);
  const gone = new AbortController();
  const waits = file('j', queued, gone.signal).next();
  gone.abort();
  await expect(waits).rejects.toThrow(Busy);
  await slow.return(undefined);
  const next = file('j', queued);
  expect((await next.next()).value).toBe('one');
  await next.return(undefined);
});

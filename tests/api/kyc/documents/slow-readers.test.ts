import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { FileGate } from '../../../../api/http/limits/file-gate';
import { ownDocumentGate, reviewedDocumentGate } from '../../../../api/users/kyc/documents/opening-gate';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { ownWorld } from '../../../support/worlds/world';
import { documentIn, verificationIn } from '../../admin/kyc/cases';

const world = ownWorld({ worker: false });

/** As large as a document can be, so that it does not fit into the buffers of a connection. */
const content = 'x'.repeat(10 * 1024 * 1024);

/** A download of which its caller reads only the head. */
async function unread(path: string, token: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}` };
  const request = get(`${world.url}/api/v1${path}`, { agent: false, headers });
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}

async function ownDocument(): Promise<IncomingMessage> {
  const made = await verificationIn(world);
  const id = await documentIn(world, made, { content });
  return unread(`/users/kyc/documents/${id}`, await signIn(world, made.user));
}

async function reviewedDocument(): Promise<IncomingMessage> {
  const made = await verificationIn(world);
  const id = await documentIn(world, made, { content });
  const token = await signIn(world, await make.admin(world.db));
  return unread(`/admin/kyc/${made.id}/documents/${id}/file`, token);
}

/** True while nobody gets a slot. */
function isFull(gate: FileGate): Promise<boolean> {
  const gone = new AbortController();
  setImmediate(() => gone.abort());
  return gate.enter(randomUUID(), gone.signal).then(
    (leave) => {
      leave();
      return false;
    },
    () => true,
  );
}

const becomesFree = (gate: FileGate): Promise<void> =>
  eventually(async () => expect(await isFull(gate)).toBe(false));

test.each([
  ['users', ownDocument, ownDocumentGate, reviewedDocumentGate],
  ['reviewers', reviewedDocument, reviewedDocumentGate, ownDocumentGate],
])(
  'documents that %s do not read are in memory: four at once, until each is read or its caller is gone; others have their own slots',
  async (_, download, gate, others) => {
    const answers = [await download(), await download(), await download(), await download()];
    expect([await isFull(gate), await isFull(others)]).toEqual([true, false]);
    const [read, left, ...rest] = answers as [IncomingMessage, IncomingMessage, ...IncomingMessage[]];
    read.resume();
    await once(read, 'end');
    await becomesFree(gate);
    rest.push(await download());
    expect(await isFull(gate)).toBe(true);
    left.destroy();
    await becomesFree(gate);
    for (const answer of rest) answer.destroy();
  },
);

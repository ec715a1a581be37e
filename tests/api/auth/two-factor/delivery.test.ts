import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendBatch } from '../../../../activities/administration/outbox/outbox-sending';
import { fileMail } from '../../../../activities/providers/mail/file';
import { fileSms } from '../../../../activities/providers/sms/file';
import { ownIdentityServer } from '../identity-server';
import { givePhone, signedIn } from './guarded';

const server = ownIdentityServer();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Sends the queued messages; answers the codes for this destination, the oldest first. */
async function delivered(to: string): Promise<string[]> {
  const sent = await sendBatch(server.db, { mail: fileMail(folder), sms: fileSms(folder) });
  expect(sent.every((outcome) => outcome === 'sent')).toBe(true);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const messages = texts
    .map((text) => JSON.parse(text))
    .filter((it) => it.to === to && it.code !== undefined);
  for (const { code, text } of messages) expect(text).toContain(code);
  return messages.map(({ code }) => code);
}

test.each(['EMAIL', 'SMS'] as const)(
  '%s: codes come out as messages, each once, and work',
  async (method) => {
    const { user, post } = await signedIn(server);
    const to = method === 'SMS' ? await givePhone(server, user) : user.email;
    await post('/auth/2fa/setup', { method });
    const [ofSetup, ...others] = await delivered(to);
    expect(others).toEqual([]);
    expect((await post('/auth/2fa/verify', { code: ofSetup })).status).toBe(200);
    const { email, password } = user;
    const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);
    const { tempToken } = (await logIn({ email, password })).body.data;
    const codes = await delivered(to);
    expect(codes).toHaveLength(2);
    expect((await logIn({ tempToken, twoFactorCode: codes[1] })).status).toBe(200);
  },
);

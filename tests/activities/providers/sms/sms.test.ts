import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProvidersConfig } from '../../../../activities/providers/config';
import { fileMail } from '../../../../activities/providers/mail/file';
import { smsProvider } from '../../../../activities/providers/sms';
import { fileSms } from '../../../../activities/providers/sms/file';
import { httpSms } from '../../../../activities/providers/sms/http';
import { type Sms, UndeliverableSms } from '../../../../activities/providers/sms/port';
import { freePort } from '../../../../local/machine/ports';

describe('as files', () => {
  const sms: Sms = {
    id: '0199aaaa-0000-7000-8000-000000000001',
    to: '+4915112345678',
    text: 'Your code: 123456',
    code: '123456',
  };
  const secrets = { SANDBOX_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')}` };

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sms-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('puts a message into the folder of mails, marked as a text message', async () => {
    await fileSms(folder).send(sms);
    await fileSms(folder).send(sms);
    await fileMail(folder).send({ id: 'mail', to: 'a@example.com', subject: 'S', text: 'T', html: 'H' });
    expect((await readdir(folder)).sort()).toEqual([`${sms.id}.json`, 'mail.json']);
    const read = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
    expect(await read(sms.id)).toEqual({ ...sms, channel: 'SMS' });
    expect(await read('mail')).not.toHaveProperty('channel');
  });

  describe('the configuration', () => {
    const parse = (variables: Record<string, string>) => ProvidersConfig.parse({ ...secrets, ...variables });

    test('is the folder by default', async () => {
      await smsProvider(parse({ MAIL_DIR: folder })).send(sms);
      expect(await readdir(folder)).toHaveLength(1);
    });

    test.each([[{}], [{ SMS_HTTP_URL: 'https://sms.example/messages' }], [{ SMS_HTTP_TOKEN: 'token' }]])(
      'must be whole for http: %j is not',
      (variables) => {
        expect(() => smsProvider(parse({ SMS_DRIVER: 'http', ...variables }))).toThrow(
          'SMS_DRIVER=http needs SMS_HTTP_URL and SMS_HTTP_TOKEN.',
        );
      },
    );

    test.each([
      [{ SMS_DRIVER: 'pigeon' }, 'SMS_DRIVER'],
      [{ SMS_HTTP_URL: 'sms.example' }, 'SMS_HTTP_URL'],
      [{ SMS_HTTP_TOKEN: 'a\r\nb' }, 'SMS_HTTP_TOKEN'],
    ])('%j is refused', (variables, name) => {
      expect(() => parse(variables)).toThrow(name);
    });
  });
});

describe('over HTTP', () => {
  const sms: Sms = {
    id: '0199aaaa-0000-7000-8000-000000000001',
    to: '+4915112345678',
    text: 'Dein Code, “bitte”: 123456',
    code: '123456',
  };

  interface Asked {
    method: string | undefined;
    headers: IncomingHttpHeaders;
    body: unknown;
  }

  const asked: Asked[] = [];
  let answer: (res: ServerResponse) => void;
  const gateway = createServer((req, res) => void take(req, res));

  async function take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of req.setEncoding('utf8')) text += part as string;
    asked.push({ method: req.method, headers: req.headers, body: JSON.parse(text) });
    answer(res);
  }

  let url: string;

  beforeAll(async () => {
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/messages`;
  });
  afterAll(() => void gateway.close());
  beforeEach(() => {
    asked.length = 0;
    answer = (res) => void res.writeHead(202).end('{}');
  });

  const answers = (status: number, headers: Record<string, string> = {}) => {
    answer = (res) => void res.writeHead(status, headers).end('{"why":"secret of the gateway"}');
  };
  const provider = () => httpSms({ url, token: 'gateway-token' });

  test('asks the gateway once, as us, with what the person is to read and a key for repeats', async () => {
    await provider().send(sms);
    await provider().send(sms);
    expect(asked).toHaveLength(2);
    for (const { method, headers, body } of asked) {
      expect(method).toBe('POST');
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        authorization: 'Bearer gateway-token',
        'idempotency-key': sms.id,
      });
      expect(body).toEqual({ to: sms.to, text: sms.text });
    }
  });

  test.each([400, 422])('%i is final', async (status) => {
    answers(status);
    await expect(provider().send(sms)).rejects.toBeInstanceOf(UndeliverableSms);
  });

  test.each([401, 403, 404, 409, 429, 500, 503])(
    '%i may pass, and is all that is said of it',
    async (status) => {
      answers(status);
      const failing = provider().send(sms);
      await expect(failing).rejects.toThrow(`The SMS gateway answered ${status}.`);
      await expect(failing).rejects.not.toBeInstanceOf(UndeliverableSms);
    },
  );

  test.each([301, 302, 307, 308])('%i leads nowhere: text and token stay here', async (status) => {
    answers(status, { location: `${url}/elsewhere` });
    await expect(provider().send(sms)).rejects.toThrow(`answered ${status}`);
    expect(asked).toHaveLength(1);
  });

  test('a gateway that is away, or hangs up, may come back', async () => {
    const away = httpSms({ url: `http://127.0.0.1:${await freePort()}/`, token: 'x' });
    await expect(away.send(sms)).rejects.toThrow('fetch failed');
    answer = (res) => void res.destroy();
    await expect(provider().send(sms)).rejects.toThrow('fetch failed');
  });
});

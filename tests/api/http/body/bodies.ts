import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit } from '../../../../api/http/limits/limits';

export const MEGABYTE = 1024 * 1024;
const common = {
  method: 'post',
  tag: 't',
  auth: 'user',
  limit: generalLimit,
  success: 200,
  errors: {},
} as const;
const done = z.object({ bytes: z.number() });
export const upload = endpoint({
  ...common,
  path: '/upload',
  summary: 's',
  idempotent: false,
  upload: { field: 'file', maxBytes: 5 * MEGABYTE },
  data: done,
  handle: (_input, { request }) => Promise.resolve({ bytes: request.file.length }),
});
export const json = endpoint({
  ...common,
  path: '/json',
  summary: 's',
  idempotent: false,
  data: done,
  handle: () => Promise.resolve({ bytes: 0 }),
});

export const FORM = 'multipart/form-data; boundary=b';
export const form = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--b--\r\n',
);
export const large = JSON.stringify({ text: 'x'.repeat(100_000) });
export const sendTo = (port: number, path: string, client: string, type: string, body: Buffer | string) =>
  fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client}`, 'content-type': type },
    body,
  });

import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { failure } from './envelope';

const STATUS: Readonly<Record<string, 408 | 431>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};
const MESSAGES = {
  400: 'This is not an HTTP request.',
  408: 'The request did not arrive in time.',
  431: 'The headers are too large.',
};

/** Answers bytes that are not a valid HTTP request, or that arrived too slowly, and closes the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS[error.code ?? ''] ?? 400;
  const body = JSON.stringify(failure({ status, code: 'VALIDATION_ERROR', message: MESSAGES[status] }).body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

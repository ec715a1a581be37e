import { letter } from '../../../../db/administration/outbox/letter';

const plain = { subject: 'Confirm your address', greeting: 'Hello Ada,', paragraphs: ['One.', 'Two.'] };

test('says the same in text and in HTML', () => {
  const link = { label: 'Confirm', url: 'https://shop.example/confirm?token=1' };
  expect(letter({ ...plain, code: '123456', link })).toEqual({
    subject: 'Confirm your address',
    text: 'Hello Ada,\n\nOne.\n\nTwo.\n\n123456\n\nConfirm: https://shop.example/confirm?token=1',
    html: [
      '<p>Hello Ada,</p>',
      '<p>One.</p>',
      '<p>Two.</p>',
      '<p style="font-size:1.5em"><code>123456</code></p>',
      '<p><a href="https://shop.example/confirm?token=1">Confirm</a></p>',
    ].join('\n'),
  });
});

test('a list is a paragraph of several lines, of which no name makes more', () => {
  const { text, html } = letter({
    ...plain,
    greeting: 'Hello Ada\r\nBcc: eve@example.com,',
    paragraphs: [['2 × Lamp\nTotal: 0.00 USD', 'Total: <50>'], 'Two.'],
  });
  expect(text).toBe('Hello Ada Bcc: eve@example.com,\n\n2 × Lamp Total: 0.00 USD\nTotal: <50>\n\nTwo.');
  expect(html).toContain('<p>2 × Lamp Total: 0.00 USD<br>Total: &lt;50&gt;</p>');
});

test('needs neither code nor link', () => {
  const { text, html } = letter(plain);
  expect(text).toBe('Hello Ada,\n\nOne.\n\nTwo.');
  expect(html).toBe('<p>Hello Ada,</p>\n<p>One.</p>\n<p>Two.</p>');
});

test('letters of all languages stay as they are', () => {
  const { subject, html } = letter({ ...plain, subject: 'Grüße 世界 🎁', greeting: 'Olá João,' });
  expect(subject).toBe('Grüße 世界 🎁');
  expect(html).toContain('<p>Olá João,</p>');
});

describe('what people wrote stays text', () => {
  test.each([
    ['a line end', 'Ada\r\nBcc: eve@example.com', 'Ada Bcc: eve@example.com'],
    ['a lone line feed', 'Ada\nBcc: eve@example.com', 'Ada Bcc: eve@example.com'],
    ['a lone carriage return', 'Ada\rSubject: x', 'Ada Subject: x'],
    ['control characters', '\u0000Ada\u0007\u001b[31m\u007f\u0085Love', 'Ada [31m Love'],
    ['a tabulator', 'Ada\tLovelace', 'Ada Lovelace'],
  ])('%s in a subject begins no header', (_, name, subject) => {
    expect(letter({ ...plain, subject: name }).subject).toBe(subject);
  });

  test('HTML in a name shows as it was typed', () => {
    const name = `<script>alert("1")</script><img src='x' onerror=alert(1)> & &amp;`;
    const { text, html } = letter({ ...plain, greeting: `Hello ${name},`, paragraphs: [name], code: name });
    const shown =
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=&#39;x&#39; onerror=alert(1)&gt; &amp; &amp;amp;';
    expect(html.split(shown)).toHaveLength(4);
    expect(html).not.toMatch(/<(script|img)/);
    expect(text).toContain(`Hello ${name},`);
  });

  test('a link with quotes ends no attribute', () => {
    const link = { label: '"><b>here</b>', url: `https://shop.example/?a="onclick="x'&b=<c>` };
    const { html } = letter({ ...plain, link });
    expect(html).toContain(
      '<a href="https://shop.example/?a=&quot;onclick=&quot;x&#39;&amp;b=&lt;c&gt;">&quot;&gt;&lt;b&gt;here&lt;/b&gt;</a>',
    );
  });
});

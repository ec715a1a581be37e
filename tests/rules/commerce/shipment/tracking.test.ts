import { trackingUrlOf } from '../../../../workflows/commerce/shipment/tracking.rules';

const template = 'https://post.example.com/track/{trackingNumber}?number={trackingNumber}';

test('the carrier’s template takes the number, wherever it has a place for it', () => {
  expect(trackingUrlOf({ trackingUrl: null, trackingNumber: 'A1', template })).toBe(
    'https://post.example.com/track/A1?number=A1',
  );
});

test('a number is text and nothing else, in the address too', () => {
  const url = trackingUrlOf({ trackingUrl: null, trackingNumber: '../x?a=$&#', template });
  expect(url).toBe('https://post.example.com/track/..%2Fx%3Fa%3D%24%26%23?number=..%2Fx%3Fa%3D%24%26%23');
});

test('a URL set by an administrator overrides the template', () => {
  const trackingUrl = 'https://elsewhere.example.com/';
  expect(trackingUrlOf({ trackingUrl, trackingNumber: 'A1', template })).toBe(trackingUrl);
  expect(trackingUrlOf({ trackingUrl, trackingNumber: null, template: null })).toBe(trackingUrl);
});

test.each([
  ['a number', { trackingNumber: null, template }],
  ['a template', { trackingNumber: 'A1', template: null }],
])('without %s there is no page', (_, parcel) => {
  expect(trackingUrlOf({ trackingUrl: null, ...parcel })).toBeNull();
});

/**
 * A coloured tile with the initials of a name, as a data URL, so that the demo's pictures require no other server.
 */
export function placeholderImage(name: string, hue: number, size: number): string {
  const initials = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' width='${size}' height='${size}' viewBox='0 0 9 9'>` +
    `<path fill='hsl(${hue},45%,45%)' d='M0 0h9v9H0z'/>` +
    `<text x='4.5' y='6' font-size='4' text-anchor='middle' font-family='sans-serif' fill='white'>${initials}</text></svg>`;
  return `data:image/svg+xml,${encodeURI(svg)}`;
}

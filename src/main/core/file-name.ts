/** `my-node-2026-01-31.html`, or `my-node-2026-01-31-14-05-07.html`: only characters that every file system accepts. */
export function fileNameOf(
  name: string,
  atMs: number,
  extension: string,
  until: 'day' | 'second' = 'day',
): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  const time = new Date(atMs).toISOString().slice(0, until === 'day' ? 10 : 19);
  return `${plain === '' ? 'file' : plain}-${time.replace(/[T:]/g, '-')}.${extension}`;
}

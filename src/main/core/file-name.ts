/** `my-node-2026-01-31.html`: only characters that every file system accepts. */
export function fileNameOf(name: string, atMs: number, extension: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  const day = new Date(atMs).toISOString().slice(0, 10);
  return `${plain === '' ? 'file' : plain}-${day}.${extension}`;
}

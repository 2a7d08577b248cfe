import { describe, expect, it } from 'vitest';
import { serviceFolder } from './service-folder.ts';

describe('serviceFolder', () => {
  it('names the host, and is another one for another path, port or scheme', () => {
    const folders = [
      'https://data.example',
      'https://data.example/v2',
      'https://data.example:8443',
      'http://data.example',
    ].map(serviceFolder);
    for (const folder of folders) expect(folder).toMatch(/^data\.example-[0-9a-f]{12}$/);
    expect(new Set(folders).size).toBe(folders.length);
    expect(serviceFolder('https://data.example')).toBe(folders[0]);
  });

  it('holds nothing that a file system refuses', () => {
    expect(serviceFolder('http://[::1]:7650')).toMatch(/^_+1_-[0-9a-f]{12}$/);
  });
});

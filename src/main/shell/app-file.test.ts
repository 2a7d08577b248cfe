import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveAppFile } from './app-file.ts';

const root = resolve('/opt/watchkeeper/out/renderer');

describe('resolveAppFile', () => {
  it.each([
    ['app://watchkeeper/', join(root, 'index.html')],
    ['app://watchkeeper/index.html', join(root, 'index.html')],
    ['app://watchkeeper/assets/index-1a2b.js?v=1#top', join(root, 'assets/index-1a2b.js')],
    ['app://watchkeeper/assets/%69ndex.css', join(root, 'assets/index.css')],
    // The URL parser itself folds plain dots.
    ['app://watchkeeper/../../index.html', join(root, 'index.html')],
  ])('serves %s', (url, file) => {
    expect(resolveAppFile(root, url)).toBe(file);
  });

  it.each([
    'app://other/index.html',
    'https://watchkeeper/index.html',
    'app://watchkeeper/%2e%2e%2f%2e%2e%2fetc/passwd.html',
    'app://watchkeeper/..%2f..%2fmain/index.js',
    'app://watchkeeper/..%5c..%5cmain/index.js',
    'app://watchkeeper/assets%00.js',
    'app://watchkeeper/%E0%A4%A.js',
    'app://watchkeeper/package.json',
    'app://watchkeeper/%2Fetc%2Fpasswd',
    'app://watchkeeper/assets/',
  ])('refuses %s', (url) => {
    expect(resolveAppFile(root, url)).toBeNull();
  });
});

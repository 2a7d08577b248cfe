// The cost of Electron alone: a window of the same size, with a page of one word.
import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';

app.on('window-all-closed', () => app.quit());
// Electron becomes ready only after this file has run to its end, so nothing is awaited here.
void app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1280,
    height: 840,
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
  });
  window.once('ready-to-show', () => window.show());
  return window.loadFile(join(import.meta.dirname, 'index.html'));
});

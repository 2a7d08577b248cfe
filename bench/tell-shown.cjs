// Loaded into a main process before its app: prints a line when its window is shown.
'use strict';

const { app } = require('electron');

app.on('browser-window-created', (_event, window) => {
  window.once('show', () => process.stdout.write('window shown\n'));
});

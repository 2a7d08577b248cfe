import type { FileOpener } from '../../core/ports.ts';

/** The part of Electron's `dialog` for opening files. */
export interface OpenDialog {
  showOpenDialog(options: {
    defaultPath: string;
    filters: { name: string; extensions: string[] }[];
    properties: 'openFile'[];
  }): Promise<{ canceled: boolean; filePaths: string[] }>;
}

/** The `FileOpener` port. `folder` is where the dialog starts. */
export function createFileOpener(dialog: OpenDialog, folder: () => string): FileOpener {
  return {
    async choose() {
      const { canceled, filePaths } = await dialog.showOpenDialog({
        defaultPath: folder(),
        filters: [{ name: 'Recording', extensions: ['gz'] }],
        properties: ['openFile'],
      });
      return canceled ? null : (filePaths[0] ?? null);
    },
  };
}

// No imports: the preload script is built from this file.

/** Prefixes for calls and events, so that the window cannot reach other listeners in the main process. */
export const callChannel = (name: string): string => `call:${name}`;
export const eventChannel = (name: string): string => `event:${name}`;

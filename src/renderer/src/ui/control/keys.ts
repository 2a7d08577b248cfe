export const isMac = () => navigator.userAgent.includes('Mac');

export const backKeys = () => (isMac() ? '⌘[' : 'Alt ←');

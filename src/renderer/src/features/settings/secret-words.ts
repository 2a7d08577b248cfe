import type { SecretStatus } from '../../../../shared/ipc/answers.ts';
import type { Tone } from '../../ui/text/tone.ts';

export interface SecretWords {
  tone: Tone;
  word: string;
  advice: string;
}

/** Where the key is, or why there is none, in words. */
export function secretWords(secret: SecretStatus): SecretWords {
  if (secret.present && secret.looksLikeData === true) {
    return {
      tone: 'warn',
      word: 'Unsuitable key',
      advice:
        'The app removes your key from responses that contain it. This key is too short or too repetitive for that, so it would be shown, stored and exported. Ask the service for a longer one.',
    };
  }
  if (secret.present && secret.storage === 'session') {
    return {
      tone: 'warn',
      word: 'Kept for this session',
      advice: 'The key is in memory only and will be lost when you close the app.',
    };
  }
  if (secret.present) {
    return {
      tone: 'pass',
      word: 'Stored',
      advice: 'The key is in the system’s keychain and is never shown again.',
    };
  }
  switch (secret.keychain) {
    case 'locked':
      return {
        tone: 'warn',
        word: 'Keychain locked',
        advice:
          'The system’s keychain is locked, so the app can’t tell whether a key is stored. Unlock it and try again, or enter a key for this session.',
      };
    case 'absent':
      return {
        tone: 'idle',
        word: 'No keychain',
        advice:
          'This system has no keychain that the app can use. The app can keep a key for this session only.',
      };
    case 'available':
    case 'unknown':
      return {
        tone: 'idle',
        word: 'None',
        advice:
          'The service may work without a key, with lower limits. If you enter a key, the app keeps it in the system’s keychain.',
      };
  }
}

/** Whether to offer keeping the key in memory. */
export function offersSessionOnly(secret: SecretStatus): boolean {
  return secret.keychain === 'absent' || secret.keychain === 'locked';
}

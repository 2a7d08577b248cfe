import type { DecodedAnswer } from '../../../shared/endpoints/decode-answer.ts';
import type { Result } from '../../../shared/errors.ts';

/** What passes between the app and its decoding thread. Both ends are compiled from these types. */

export interface DecodeRequest {
  id: number;
  endpointId: string;
  text: string;
}

export interface DecodeReply {
  id: number;
  decoded: Result<DecodedAnswer>;
}

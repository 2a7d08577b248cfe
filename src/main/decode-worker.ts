import { serve } from './adapters/decode/serve.ts';
import { readers } from './readers.ts';

/** Entry of the decoding thread: large texts are decoded here, so that they do not block the app. */

serve(readers);

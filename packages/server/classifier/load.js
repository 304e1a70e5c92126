/** Everything the classifier's worker needs, found in the node_modules beside this file. Loaded on first use only. */
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';

export * as tf from '@tensorflow/tfjs';
export { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
export { load } from 'nsfwjs/core';
export { MobileNetV2Model } from 'nsfwjs/models/mobilenet_v2';
export { default as sharp } from 'sharp';

const found = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
export const wasmFolder = dirname(found) + sep;

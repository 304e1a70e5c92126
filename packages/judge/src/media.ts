import type { MediaScore } from './types.ts';

/** `<label>_greaterThan_<n>`: a label of the classifier, or any of them. */
export interface Threshold {
  /** The label as it is compared: letters and digits only, lower case. Empty for any. */
  label: string;
  above: number;
}

const SHAPE = /^(.+)_greaterThan_(.*)$/;
const ANY = new Set(['anyof', 'anyunsafecontent']);
export const MEDIA_LABELS: readonly string[] = [
  'Violence',
  'Alcohol',
  'Gambling',
  'Drugs & Tobacco',
  'Rude gestures',
  'Explicit Nudity',
  'Non-Explicit Nudity',
  'Swimwear or underwear',
  'Visually Disturbing',
  'Hate symbols',
];

/** Labels come in any case, with spaces or without. */
function labelKey(label: string): string {
  return label.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const KNOWN = new Set(MEDIA_LABELS.map(labelKey));

export function parseThreshold(text: string): Threshold | { position: number; reason: string } {
  const parts = SHAPE.exec(text);
  if (parts === null) {
    return { position: 0, reason: `"${text}" is no threshold: write <label>_greaterThan_<number from 0 to 100>` };
  }
  const [, label = '', amount = ''] = parts;
  const position = text.length - amount.length;
  if (!/^\d+(\.\d+)?$/.test(amount) || Number(amount) > 100) {
    return { position, reason: `"${amount}" is no confidence: it must be a number from 0 to 100` };
  }
  const key = labelKey(label);
  if (ANY.has(key)) return { label: '', above: Number(amount) };
  if (!KNOWN.has(key)) {
    return { position: 0, reason: `"${label}" is no media label: use AnyOf or one of ${MEDIA_LABELS.join(', ')}` };
  }
  return { label: key, above: Number(amount) };
}

/** The label and score that pass a threshold, or nothing. */
export function overThreshold(threshold: Threshold, media: MediaScore): { label: string; score: number } | undefined {
  let best: { label: string; score: number } | undefined;
  for (const [label, score] of Object.entries(media.scores ?? {})) {
    if (typeof score !== 'number' || !(score > threshold.above)) continue;
    const key = labelKey(label);
    // Any means any of the labels of the interface: a classifier may also say how sure it is that all is well.
    if (threshold.label === '' ? !KNOWN.has(key) : key !== threshold.label) continue;
    if (best === undefined || score > best.score) best = { label, score };
  }
  return best;
}

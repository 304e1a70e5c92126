/** Counts the characters looked at off the common path, for the proof that time grows linearly with a text. */
export const work = { steps: 0 };

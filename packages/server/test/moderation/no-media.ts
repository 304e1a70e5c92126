import { Media } from '../../src/moderation/media.ts';

/** Stands where a test has no attachments: looking at any of them fails the test. */
export const noMedia: Media = Object.assign(Object.create(Media.prototype) as Media, {
  look: () => Promise.reject(new Error('No attachment was expected.')),
});

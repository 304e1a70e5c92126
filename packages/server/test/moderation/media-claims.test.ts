import { describe, expect, it } from 'vitest';
import { claimedMedia } from '../../src/moderation/media-claims.ts';

const both = ['image', 'video'] as const;
const of = (attachment: object, type?: string) =>
  claimedMedia({ ...(type !== undefined && { type }), data: { attachments: [attachment] } }, both).map(
    ({ kind }) => kind,
  );

describe('what a message says its attachments are', () => {
  it.each([
    ['a MIME type', { mimeType: 'image/png' }, undefined, ['image']],
    ['a MIME type in capitals', { mimeType: 'VIDEO/MP4' }, undefined, ['video']],
    ['a MIME type with spaces', { mimeType: ' image/png' }, undefined, ['image']],
    ['an extension with a space', { extension: 'png ' }, undefined, ['image']],
    ['an extension', { extension: 'JPG' }, undefined, ['image']],
    ['an extension with its dot', { extension: '.mov' }, undefined, ['video']],
    ['a name', { name: 'Holiday.HEIC' }, undefined, ['image']],
    ['an address with a query', { url: 'https://a.example/b.webm?c=d.txt' }, undefined, ['video']],
    ['the type of the message', { url: 'https://a.example/b' }, 'image', ['image']],
    ['a document', { mimeType: 'application/pdf', url: 'https://a.example/b.pdf' }, 'file', []],
    ['nothing at all', {}, undefined, []],
  ])('is known by %s', (_, attachment, type, kinds) => {
    expect(of(attachment, type)).toEqual(kinds);
  });

  it('is, of two things it says, the one that a rule asks about', () => {
    const message = { type: 'image', data: { attachments: [{ mimeType: 'video/mp4', url: 'x' }] } };
    expect(claimedMedia(message, ['image'])).toEqual([{ index: 0, kind: 'image', alsoClaimed: [], url: 'x' }]);
    expect(claimedMedia(message, both)).toEqual([{ index: 0, kind: 'video', alsoClaimed: ['image'], url: 'x' }]);
    expect(claimedMedia(message, [])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { answerWords, outcomeWord, platformWord, reasonWord } from '../../../dashboard/src/push-words.ts';
import { leafWords, leavesOf } from '../../../dashboard/src/settings/settings-tree.ts';
import { platforms } from '../../src/push/platforms.ts';
import { standardSettings } from '../../src/push/settings.ts';

describe('the words of the dashboard for pushes', () => {
  it('has words for every platform', () => {
    const raw = [...platforms.keys()].filter((platform) => /_/.test(platformWord(platform)));
    expect(raw).toEqual([]);
    expect(platformWord('fcm_flutter_android')).toBe('Android (Flutter)');
    expect(platformWord('apns_react_native_voip')).toBe('iPhone or iPad, calls (React Native)');
    expect(platformWord('one_of_tomorrow')).toBe('one_of_tomorrow');
  });

  it('has a label without names of the interface for every setting', () => {
    // Each in its card: templates, preferences, sounds.
    const labels = leavesOf(standardSettings).map((leaf) => `${leaf.path.split('.')[0]}: ${leafWords(leaf).label}`);
    expect(labels.filter((label) => /[a-z][A-Z]|Setting|dnd|field|initiated/.test(label))).toEqual([]);
    expect(new Set(labels).size).toBe(labels.length);
    const hour = leafWords({ path: 'preferences.mute.schedulePreferenceSetting.sunday.from', value: 0 });
    expect(hour).toEqual({ label: 'Sunday, pushes from', isHour: true });
  });

  it('says why a push did not arrive, with what the vendor said', () => {
    expect(answerWords('403 InvalidProviderToken')).toBe(
      "The provider's key is not accepted (403 InvalidProviderToken)",
    );
    expect(answerWords('0 BadDeviceToken')).toBe('Apple does not know this device (BadDeviceToken)');
    expect(answerWords('418 Teapot')).toBe('418 Teapot');
    expect(answerWords('A sentence of the service.')).toBe('A sentence of the service.');
    expect(reasonWord('MEMBER_LEFT_PREFERENCE')).toBe('The user wants none of this kind');
  });

  it('calls not wanted only what somebody did not want', () => {
    expect(outcomeWord('skipped', 'DND_PREFERENCE')).toBe('Not wanted');
    expect(outcomeWord('skipped', 'TOKEN_GONE')).toBe('Skipped');
    expect(outcomeWord('sent', '')).toBe('Sent');
  });
});

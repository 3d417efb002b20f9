/** What a viewer says where there is no picture to show. */

export const cantBeRead = 'This document can’t be read as a picture. It is stored as it came, and can be downloaded.';
export const cantBeShown = 'This picture can’t be shown now. It can be downloaded as it came.';
export const plainly =
  'PhotoSwipe isn’t installed here, so pictures open without zoom and swiping. “make release” fetches it.';

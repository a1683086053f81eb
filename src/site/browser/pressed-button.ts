/** The button of a mouse, or a finger, that is down on a link or a button: what is replaced meanwhile loses its click. */

/** The time in which a click follows when a finger is lifted, in milliseconds. */
const clickMs = 100;

/** Watches the links and buttons of the page. The function waits while one of them is pressed, and until its click has come. */
export function watchPresses(): () => Promise<void> {
  let pressed: Promise<void> | undefined;
  let release = () => {};
  document.addEventListener('pointerdown', ({ target, button }) => {
    if (button !== 0 || !(target instanceof Element) || target.closest('a,button,label,input') === null)
      return;
    // After a second finger, or a press whose end was not reported, a wait goes on with this press.
    release();
    const { promise, resolve } = Promise.withResolvers<void>();
    pressed = promise;
    release = () => {
      if (pressed === promise) pressed = undefined;
      resolve();
    };
  });
  for (const end of ['pointerup', 'pointercancel', 'contextmenu'])
    document.addEventListener(end, () => setTimeout(release, clickMs));
  return async () => {
    while (pressed !== undefined) await pressed;
  };
}

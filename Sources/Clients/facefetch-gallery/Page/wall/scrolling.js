/** How fast the page is scrolled, and when it comes to rest. */

/** Faster than this, in pixels a millisecond, nobody sees a picture, and none is asked for. */
const fast = 6;
/** Milliseconds after the last movement at which it is taken to rest. */
const rest = 80;

export class Scrolling {
  /** @param {() => void} moved called once a frame while the page moves, and once it rests */
  constructor(moved) {
    this.moved = moved;
    this.speed = 0;
    this.lastY = 0;
    this.lastTime = 0;
    this.frame = 0;
    this.timer = 0;
    this.scrolled = this.scrolled.bind(this);
    window.addEventListener('scroll', this.scrolled, { passive: true });
  }

  /** Whether it is too fast for anybody to see a picture. */
  get isFast() {
    return this.speed > fast;
  }

  /** It was put somewhere, and stands there. */
  stop() {
    this.speed = 0;
  }

  end() {
    window.removeEventListener('scroll', this.scrolled);
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
  }

  scrolled() {
    const now = performance.now();
    const y = window.scrollY;
    const passed = now - this.lastTime;
    if (passed > 0) this.speed = Math.abs(y - this.lastY) / Math.max(passed, 4);
    this.lastY = y;
    this.lastTime = now;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.speed = 0;
      this.moved();
    }, rest);
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.moved();
    });
  }
}

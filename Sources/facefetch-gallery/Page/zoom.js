/** A sheet on a stage: fitted, zoomed by wheel, keys, double click or two fingers, moved, or swiped away. */

export class Zoom {
  /**
   * @param {HTMLElement} stage
   * @param {HTMLElement} sheet
   * @param {{swiped: (by: number) => void, zoomed: () => void}} acts
   */
  constructor(stage, sheet, acts) {
    this.stage = stage;
    this.sheet = sheet;
    this.acts = acts;
    this.aspect = 1;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    /** @type {Map<number, {x: number, y: number}>} */
    this.fingers = new Map();
    this.start = { x: 0, y: 0, time: 0, moved: false };
    stage.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    stage.addEventListener('pointerdown', (event) => this.down(event));
    stage.addEventListener('pointermove', (event) => this.move(event));
    for (const name of /** @type {const} */ (['pointerup', 'pointercancel'])) stage.addEventListener(name, (event) => this.up(event));
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(stage);
  }

  end() { this.observer.disconnect(); }

  /** @param {number} aspect */
  shape(aspect) {
    if (Math.abs(aspect - this.aspect) < 0.002 && this.scale !== 1) return;
    this.aspect = aspect;
    this.fit();
  }

  /** The whole sheet, as large as the stage lets it be. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    this.wide = Math.min(width, height * this.aspect);
    this.high = this.wide / this.aspect;
    this.sheet.style.width = `${this.wide}px`;
    this.sheet.style.height = `${this.high}px`;
    this.scale = 1;
    this.x = (width - this.wide) / 2;
    this.y = (height - this.high) / 2;
    this.place();
  }

  /**
   * @param {number} factor
   * @param {{x: number, y: number}} [at] a point of the stage that stays where it is
   */
  by(factor, at = { x: this.stage.clientWidth / 2, y: this.stage.clientHeight / 2 }) {
    const scale = Math.min(12, Math.max(1, this.scale * factor));
    if (scale === 1) return this.fit();
    this.x = at.x - ((at.x - this.x) * scale) / this.scale;
    this.y = at.y - ((at.y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.place();
    if (scale > 1.4) this.acts.zoomed();
  }

  place() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const [wide, high] = [(this.wide ?? 0) * this.scale, (this.high ?? 0) * this.scale];
    // No edge comes further in than it has to.
    this.x = wide <= width ? (width - wide) / 2 : Math.min(0, Math.max(width - wide, this.x));
    this.y = high <= height ? (height - high) / 2 : Math.min(0, Math.max(height - high, this.y));
    this.sheet.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.stage.classList.toggle('zoomed', this.scale > 1);
  }

  /** @param {MouseEvent} event */
  point(event) {
    const box = this.stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    this.by(Math.exp(-event.deltaY * 0.002), this.point(event));
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.target instanceof Element && event.target.closest('button')) return;
    this.stage.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.point(event));
    this.start = { ...this.point(event), time: performance.now(), moved: this.fingers.size > 1 };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.point(event);
    if (this.fingers.size === 2) {
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)];
        if (was > 0) this.by(is / was, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      }
    } else if (this.scale > 1) {
      this.x += now.x - before.x;
      this.y += now.y - before.y;
      this.place();
    }
    if (Math.hypot(now.x - this.start.x, now.y - this.start.y) > 8) this.start.moved = true;
    this.fingers.set(event.pointerId, now);
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (!this.fingers.delete(event.pointerId) || this.fingers.size > 0) return;
    const now = this.point(event);
    const [dx, dy] = [now.x - this.start.x, now.y - this.start.y];
    if (event.type === 'pointercancel') return;
    if (!this.start.moved) {
      if (this.scale > 1) this.fit();
      else this.by(2.5, now);
    } else if (this.scale === 1 && Math.abs(dx) > 50 && Math.abs(dx) > Math.abs(dy) * 1.5) {
      this.acts.swiped(dx < 0 ? 1 : -1);
    }
  }
}

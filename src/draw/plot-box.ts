/** The box in which lines and areas are drawn, in pixels. */
export interface PlotBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

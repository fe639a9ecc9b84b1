/** The hues of values, trackers and projects; `hues.css` has their colours. */
const HUES = [
  'gray',
  'red',
  'orange',
  'amber',
  'green',
  'teal',
  'cyan',
  'blue',
  'indigo',
  'purple',
  'pink',
  'brown',
] as const
export type Hue = (typeof HUES)[number]

/** The names of the palette in the API. */
const PALETTE: Readonly<Record<string, Hue>> = {
  'inca-silver': 'gray',
  'chrome-silver': 'gray',
  'firemist-silver': 'gray',
  'red-wine': 'pink',
  'fiesta-red': 'red',
  'coral-pink': 'red',
  'teddy-brown': 'brown',
  'clockwork-orange': 'orange',
  'graffiti-yellow': 'amber',
  'army-green': 'green',
  'neon-green': 'green',
  'acid-green': 'green',
  'sherwood-green': 'green',
  'ocean-turquoise': 'teal',
  'surf-green': 'teal',
  'deep-blue': 'indigo',
  'lake-placid-blue': 'blue',
  'daphne-blue': 'cyan',
  'plum-crazy': 'purple',
  'ultra-violet': 'indigo',
  'lilac-purple': 'purple',
  'panther-pink': 'pink',
  'peggy-pink': 'pink',
  'flamingo-pink': 'pink',
}

/** The last angle of each hue, in degrees of the colour wheel. */
const WHEEL: readonly (readonly [number, Hue])[] = [
  [15, 'red'],
  [35, 'orange'],
  [65, 'amber'],
  [150, 'green'],
  [186, 'teal'],
  [205, 'cyan'],
  [230, 'blue'],
  [255, 'indigo'],
  [295, 'purple'],
  [345, 'pink'],
  [360, 'red'],
]

const MIN_SATURATION = 0.15
const MAX_BROWN_LIGHTNESS = 0.38

/** The hue of a palette name or the nearest one of `#rrggbb`; gray without a colour. */
export function toHue(color: string | null | undefined): Hue {
  if (color === null || color === undefined || color === '') return 'gray'
  if (!color.startsWith('#')) return Object.hasOwn(PALETTE, color) ? (PALETTE[color] ?? 'gray') : 'gray'
  const bits = Number.parseInt(color.slice(1), 16)
  return nearestHue([(bits >> 16) & 255, (bits >> 8) & 255, bits & 255])
}

/** The same hue for the same id, on every device. */
export function hueById(id: number): Hue {
  return HUES[1 + (id % (HUES.length - 1))] ?? 'gray'
}

function nearestHue(rgb: readonly [number, number, number]): Hue {
  const [red, green, blue] = rgb
  const most = Math.max(...rgb)
  const range = most - Math.min(...rgb)
  const lightness = (2 * most - range) / 510
  if (range === 0 || range / 255 / (1 - Math.abs(2 * lightness - 1)) < MIN_SATURATION) return 'gray'
  const sixth =
    most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range
  const angle = (sixth * 60 + 360) % 360
  const [, hue = 'gray'] = WHEEL.find(([last]) => angle <= last) ?? []
  return lightness < MAX_BROWN_LIGHTNESS && (hue === 'orange' || hue === 'amber') ? 'brown' : hue
}

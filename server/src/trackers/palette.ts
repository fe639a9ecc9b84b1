/** Colour names for trackers and list values. */
export const PALETTE: readonly string[] =
  `inca-silver chrome-silver firemist-silver red-wine fiesta-red coral-pink teddy-brown clockwork-orange graffiti-yellow
  army-green neon-green acid-green sherwood-green ocean-turquoise surf-green deep-blue lake-placid-blue daphne-blue
  plum-crazy ultra-violet lilac-purple panther-pink peggy-pink flamingo-pink`.split(/\s+/)

export const PLAIN_COLOR = 'inca-silver'

/** The palette name of a colour, also for its old spelling with `_`; undefined if unknown. */
export function readColor(given: string): string | undefined {
  const name = given.trim().toLowerCase().replaceAll('_', '-')
  return PALETTE.find((each) => each === name)
}

/** Why somebody is told; of several reasons the first. */
export const WHYS = ['mention', 'assigned', 'submitted', 'list', 'watch'] as const
export type Why = (typeof WHYS)[number]

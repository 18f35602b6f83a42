/**
 * The tiers of exploration by name, from the cheapest to the dearest.
 *
 * @module
 */
export const TIER_NAMES = ['charts', 'simulation', 'explorer', 'model', 'crashes'] as const

export type TierName = (typeof TIER_NAMES)[number]

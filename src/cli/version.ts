/**
 * The version that the command shows of itself.
 *
 * @module
 */
export { VERSION } from '../protocols/version.ts'

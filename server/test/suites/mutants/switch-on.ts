import { MutantSwitch } from './switch.ts'

globalThis.waypostMutants ??= new MutantSwitch()

// Generates the API types from the description: `npm run sdk`.
import { readFileSync, writeFileSync } from 'node:fs'
import { generateTypes } from './generate-types.ts'

const description = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))
writeFileSync(new URL('src/api.ts', import.meta.url), generateTypes(description))

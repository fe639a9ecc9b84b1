const answer = await fetch('openapi.json')
const description = await answer.json()

// Whoever is signed in on this site is so on this page too; others type a key. No page can send any other credential
// that a key would not replace.
const { api_access_key } = description.components.securitySchemes
description.components.securitySchemes = { api_access_key }

// A key stays in the memory of this page, and is forgotten with it.
globalThis.SwaggerUIBundle({
  spec: description,
  domNode: document.getElementById('explorer'),
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})

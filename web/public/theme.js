// Before the first paint, so that nobody who chose a theme sees the other one.
{
  const [theme, density] = ['waypost.theme', 'waypost.density'].map((name) => localStorage.getItem(name))
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (density === 'compact') document.documentElement.dataset.density = density
}

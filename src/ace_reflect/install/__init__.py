"""settings.json, the plugin, and doctor."""

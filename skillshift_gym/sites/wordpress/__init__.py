"""WordPress: a public blog in a classic magazine theme (v1) and a block theme (v2)."""

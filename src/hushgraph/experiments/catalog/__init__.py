"""The experiments that come with hushgraph, as TOML."""

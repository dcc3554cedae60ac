"""The papers' figures and settings, as data."""

"""Experiments: the papers' tables and figures as data, a runner that can be killed, and reports."""

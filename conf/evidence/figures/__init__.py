"""Figures: the site's style, and what several figures draw alike. No Sphinx in here."""

"""Prints papers as PDF: a Typst template per kind, fed with the JSON of the object. The one door to ``typst``."""

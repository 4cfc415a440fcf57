"""One file per revision; revisions are numbered and compare as text."""

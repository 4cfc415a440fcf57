"""The papers of a case as typed objects, built from the record; ``procedure.documents`` prints the same objects."""

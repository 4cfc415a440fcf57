"""Municipal administrative penalty cases: machine, record, sweep, inscription."""

"""Pages for people: self-contained HTML that asks nothing of the network, and the calendar file of the open terms."""

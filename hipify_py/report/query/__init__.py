"""What is known about a name on either side: its row, what the headers declare, where it comes from, an example."""

"""What is known of a name on either side: its row, what the headers declare, where it comes from, an example."""

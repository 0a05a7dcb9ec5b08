"""Functions as plain operations, and what is known of their values."""

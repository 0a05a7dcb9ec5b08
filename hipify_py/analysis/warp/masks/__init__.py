"""Lane masks: what they are written as, where they are declared, where they flow, and what counts their bits."""

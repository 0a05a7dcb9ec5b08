"""The parts that everything else is built from: sources, edits, findings, options, units and the translator."""

"""The basic parts that everything else uses: sources, edits, findings, options, units and the translator."""

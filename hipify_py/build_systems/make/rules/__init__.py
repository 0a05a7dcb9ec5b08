"""One rule per file: each visits the words of one makefile, and edits them or leaves a finding."""

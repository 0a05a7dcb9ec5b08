"""One rule per file: each visits the commands of one list file, and edits them or leaves a finding."""

"""A rule a file: each looks at the words of one makefile, and edits it or leaves a finding."""

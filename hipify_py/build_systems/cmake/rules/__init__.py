"""A rule a file: each looks at the commands of one list file, and edits it or leaves a finding."""

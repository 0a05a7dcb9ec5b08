"""Command lines that call CUDA's tools, wherever build files have them: scripts, Dockerfiles, CI jobs, databases."""

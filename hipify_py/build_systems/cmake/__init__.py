"""CMake's list files and presets."""

"""xmake's build files, which are Lua."""

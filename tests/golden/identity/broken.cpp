// Unterminated literals, unbalanced brackets and stray punctuation stay as they are.
#error don't stop at "quotes
int f( { ) ] "open
char c = 'x
auto r = R"x(never closed

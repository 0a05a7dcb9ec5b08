#pragma once
// CRLF, Latin-1 όδ, no final newline: cudaFree
inline int twice(int x)
{
	return x << 1; // <<<
}
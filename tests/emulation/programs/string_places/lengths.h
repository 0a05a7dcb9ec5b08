#pragma once
void place_strings(const int *lengths, int n, int *places, unsigned *empty);

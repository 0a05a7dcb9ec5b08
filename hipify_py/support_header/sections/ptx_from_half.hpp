// Conversions of half-precision numbers to integers.
// needs: ptx_half ptx_convert
// Source: PTX ISA, cvt.

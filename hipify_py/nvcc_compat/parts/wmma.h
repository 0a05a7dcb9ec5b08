namespace rocwmma = nvcuda::wmma;

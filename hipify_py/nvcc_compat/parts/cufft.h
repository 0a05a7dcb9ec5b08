// hipFFT has a type of its own for the parts of a version.
#define hipfftLibraryPropertyType libraryPropertyType

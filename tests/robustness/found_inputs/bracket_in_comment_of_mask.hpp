__shfl_sync(int warnForHistogramAnomalies()// calcConvolvedBias(ArrayRef<const DimParams> dimParams,
                             coordValue)
__shfl_sync
      NV_IS_HOST

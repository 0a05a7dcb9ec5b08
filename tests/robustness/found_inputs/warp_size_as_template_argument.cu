reduce_all<warpSize>

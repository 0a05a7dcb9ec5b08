__launch_bounds__(, , cudaStream_t)
cudaMemcpy(y.data(), __launch_bounds__(dy, rows * sizeof(float), cudaMemcpyDeviceToHost)
void f() { cudaFree(p); }

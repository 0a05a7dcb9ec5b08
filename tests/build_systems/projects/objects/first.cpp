void scale_on_gpu(float* x, int n, float by);

int main()
{
  float x[4] = {1, 2, 3, 4};
  scale_on_gpu(x, 4, 2.0f);
  return x[0] == 2.0f ? 0 : 1;
}

int sum_of_squares(const float *values, int count, float *result);
int main() {
    float values[3] = {1, 2, 3}, result = 0;
    return sum_of_squares(values, 3, &result) == 0 && result == 14 ? 0 : 1;
}

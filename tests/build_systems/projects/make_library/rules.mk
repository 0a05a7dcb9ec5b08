%.o: %.cu
	$(GPU_COMPILER) $(COMMON) $(EXTRA) -c $< -o $@

%.o: %.cpp
	$(CXX) $(COMMON) $(INCLUDES) -c $< -o $@

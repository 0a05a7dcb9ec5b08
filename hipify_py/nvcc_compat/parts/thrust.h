#include <thrust/detail/config.h>
THRUST_NAMESPACE_BEGIN
namespace cuda {}
namespace hip = cuda;
THRUST_NAMESPACE_END

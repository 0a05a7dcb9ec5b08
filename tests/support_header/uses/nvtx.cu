#include "hipify_support.hpp"

#include <string>

#if !defined(__NVCC__)
double work(const std::string& name) {
    hipify::nvtx_scoped_range range_of_function(__func__);
    hipify::nvtx_scoped_range whole{"work"}, named(name, 3);
    hipify::nvtx_event_attributes event = {0};
    event.version = hipify::nvtx_version;
    event.size = hipify::nvtx_event_attributes_size;
    event.colorType = hipify::nvtx_color_argb;
    event.color = 0xff00ff00;
    event.payloadType = hipify::nvtx_payload_type_double;
    event.payload.dValue = 1.5;
    event.messageType = hipify::nvtx_message_type_ascii;
    event.message.ascii = name.c_str();
    hipify::nvtx_domain_handle domain = hipify::nvtx_domain_create("own");
    hipify::nvtx_nothing(domain, 1, "category");
    hipify::nvtx_mark(&event);
    hipify::nvtx_mark(domain, &event);
    hipify::nvtx_range_push(&event);
    roctxRangePop();
    hipify::nvtx_range_end(domain, hipify::nvtx_range_start(domain, &event));
    event.message.registered = hipify::nvtx_register_string(domain, "text");
    hipify::nvtx_range_push(domain, &event);
    hipify::nvtx_range_pop(domain);
    return event.payload.dValue;
}
#endif

// brings: ROCTX
// NVTX ranges and marks with attributes, domains and scopes: roctx takes their message alone, so that colours,
// categories and payloads are set and not seen.
// Source: NVTX headers nvToolsExt.h and nvtx3.hpp; roctracer/roctx.h.
#if defined(__NVCC__)
#include <nvtx3/nvToolsExt.h>
#else
#include <roctracer/roctx.h>
#endif

#include <cstdint>

namespace hipify {

#if defined(__NVCC__)
using nvtx_event_attributes = nvtxEventAttributes_t;
#else
/// nvtxStringHandle_t: the text itself
using nvtx_string_handle = const char*;
/// nvtxDomainHandle_t
using nvtx_domain_handle = const char*;

union nvtx_message_value {
    const char* ascii;
    const wchar_t* unicode;
    nvtx_string_handle registered;
};
enum nvtx_color_type { nvtx_color_unknown, nvtx_color_argb };
enum nvtx_message_type { nvtx_message_unknown, nvtx_message_type_ascii, nvtx_message_type_unicode, nvtx_message_type_registered };
enum nvtx_payload_type {
    nvtx_payload_unknown,
    nvtx_payload_type_unsigned_int64,
    nvtx_payload_type_int64,
    nvtx_payload_type_double,
    nvtx_payload_type_unsigned_int32,
    nvtx_payload_type_int32,
    nvtx_payload_type_float
};

/// nvtxEventAttributes_t, in its order of members
struct nvtx_event_attributes {
    std::uint16_t version, size;
    std::uint32_t category;
    std::int32_t colorType;
    std::uint32_t color;
    std::int32_t payloadType, reserved0;
    union payload_t {
        std::uint64_t ullValue;
        std::int64_t llValue;
        double dValue;
        std::uint32_t uiValue;
        std::int32_t iValue;
        float fValue;
    } payload;
    std::int32_t messageType;
    nvtx_message_value message;
};
constexpr std::uint16_t nvtx_version = 3, nvtx_event_attributes_size = sizeof(nvtx_event_attributes);

inline const char* nvtx_text(const nvtx_event_attributes* event) {
    const bool is_text = event->messageType == nvtx_message_type_ascii || event->messageType == nvtx_message_type_registered;
    return is_text && event->message.ascii != nullptr ? event->message.ascii : "";
}
inline int nvtx_range_push(const nvtx_event_attributes* event) { return roctxRangePushA(nvtx_text(event)); }
inline roctx_range_id_t nvtx_range_start(const nvtx_event_attributes* event) { return roctxRangeStartA(nvtx_text(event)); }
inline void nvtx_mark(const nvtx_event_attributes* event) { roctxMarkA(nvtx_text(event)); }
/// The calls that name something, or prepare for it
template <class... Arguments>
inline void nvtx_nothing(const Arguments&...) {}

inline nvtx_domain_handle nvtx_domain_create(const char* name) { return name; }
inline nvtx_string_handle nvtx_register_string(nvtx_domain_handle, const char* text) { return text; }
inline int nvtx_range_push(nvtx_domain_handle, const nvtx_event_attributes* event) { return nvtx_range_push(event); }
inline int nvtx_range_pop(nvtx_domain_handle) { return roctxRangePop(); }
inline roctx_range_id_t nvtx_range_start(nvtx_domain_handle, const nvtx_event_attributes* event) {
    return nvtx_range_start(event);
}
inline void nvtx_range_end(nvtx_domain_handle, roctx_range_id_t range) { roctxRangeStop(range); }
inline void nvtx_mark(nvtx_domain_handle, const nvtx_event_attributes* event) { nvtx_mark(event); }

/// nvtx3::scoped_range: its first argument is the message, where it is text.
/// `nvtx_scoped_range range_of_function(__func__)` stands for NVTX3_FUNC_RANGE().
class nvtx_scoped_range {
public:
    nvtx_scoped_range() { roctxRangePushA(""); }
    template <class... Others>
    explicit nvtx_scoped_range(const char* message, const Others&...) {
        roctxRangePushA(message);
    }
    template <class Text, class... Others, class = decltype(static_cast<const char*>(Text().c_str()))>
    explicit nvtx_scoped_range(const Text& message, const Others&...) {
        roctxRangePushA(message.c_str());
    }
    nvtx_scoped_range(const nvtx_scoped_range&) = delete;
    nvtx_scoped_range& operator=(const nvtx_scoped_range&) = delete;
    ~nvtx_scoped_range() { roctxRangePop(); }
};
#endif

}  // namespace hipify

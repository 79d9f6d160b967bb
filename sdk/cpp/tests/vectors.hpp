// The cases of sdk/vectors, which all SDKs share.

#pragma once

#include <google/protobuf/struct.pb.h>

#include <string>
#include <string_view>

namespace aurum::tests {

using Json = google::protobuf::Value;

// The entries of a list in a file of sdk/vectors. Throws if there are none: a test of no cases proves nothing.
google::protobuf::RepeatedPtrField<Json> vectors(const std::string& file, const std::string& list);

// Throws if there is no such key.
const Json& at(const Json& object, const std::string& key);
const std::string& text_at(const Json& object, const std::string& key);
// The bytes of a base64 text.
std::string bytes_at(const Json& object, const std::string& key);
std::string from_base64(std::string_view text);

}  // namespace aurum::tests
